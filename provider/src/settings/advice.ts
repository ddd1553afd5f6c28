import { nearestName } from '../values/failure';
import { CONFIG_NAMESPACE, findSetting, HOST_SETTING, SETTINGS, type SettingsSources } from './settings';

const PREFIX = `${CONFIG_NAMESPACE}:`;
const NAMES = [...Object.keys(SETTINGS), HOST_SETTING];

/** One sentence for each unknown key of ours in the stack configuration, which has no effect. */
export const misspeltSettings = (configKeys: readonly string[]): string[] =>
  configKeys
    .filter((key) => key.startsWith(PREFIX) && !NAMES.includes(key.slice(PREFIX.length)))
    .map((key) => {
      const meant = nearestName(key.slice(PREFIX.length), NAMES);
      const hint =
        meant === undefined ? `the settings are ${NAMES.join(', ')}.` : `did you mean ${PREFIX}${meant}?`;
      return `${key} is not a setting of this provider and has no effect: ${hint}`;
    });

/** A refresh and a destroy take the settings from the state, not from the stack configuration: an old key may be sent. */
export function keyAdvice(sources: SettingsSources): string {
  const { variable } = SETTINGS.apiKey;
  const place = findSetting('apiKey', sources)?.place;
  if (place === undefined || place === variable) {
    return `The key was read from the environment variable ${variable}.`;
  }
  return (
    `The key was read from ${place}. A refresh (also with "pulumi up --refresh") and a destroy read it from the state, where the ` +
    `last "pulumi up" stored it: after changing the key, run "pulumi up" without --refresh, ` +
    `"pulumi refresh --run-program" or "pulumi destroy --run-program". ` +
    `A key in the environment variable ${variable} is never stored.`
  );
}
