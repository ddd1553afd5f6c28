import { findSetting, SETTINGS, type SettingsSources } from './settings';

/**
 * What somebody needs to know whose key was refused: where it came from. The engine takes the settings of a refresh and
 * of a destroy from the state and not from the stack configuration, so a key that was replaced goes on being sent.
 */
export function keyAdvice(sources: SettingsSources): string {
  const { variable } = SETTINGS.apiKey;
  const place = findSetting('apiKey', sources)?.place;
  if (place === undefined || place === variable) {
    return `The key was taken from the environment variable ${variable}.`;
  }
  return (
    `The key was taken from ${place}. A refresh ("pulumi up --refresh" too) and a destroy take it from the state, as ` +
    `the last "pulumi up" stored it: after a change of the key run "pulumi up" without --refresh, ` +
    `"pulumi refresh --run-program" or "pulumi destroy --run-program". ` +
    `A key in the environment variable ${variable} is never stored (see docs/rotate-keys.md).`
  );
}
