import type { ClientSettings } from '../api/client-settings';
import { nearestName } from '../values/failure';
import { CONFIG_NAMESPACE, findSetting, HOST_SETTING, SETTINGS, type SettingsSources } from './settings';

const PREFIX = `${CONFIG_NAMESPACE}:`;
const VARIABLE_PREFIX = 'EDGE_POLICY_';
const NAMES = [...Object.keys(SETTINGS), HOST_SETTING];
const VARIABLES = Object.values(SETTINGS).map(({ variable }) => variable);

/** The engine takes a setting named `version` for the version of a plugin. */
const RENAMED = new Map([
  [`${PREFIX}version`, `${PREFIX}apiVersion`],
  [`${VARIABLE_PREFIX}VERSION`, SETTINGS.apiVersion.variable],
]);

/**
 * One sentence for each unused setting: an unknown key of ours in the stack configuration, or a variable of the environment
 * whose name is nearly one of ours (others may belong to other software).
 */
export const misspeltSettings = (given: {
  readonly configKeys: readonly string[];
  readonly variables: readonly string[];
}): string[] => [
  ...given.configKeys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length))
    .filter((name) => !NAMES.includes(name))
    .map((name) => sentence(`${PREFIX}${name}`, nearest(name))),
  ...given.variables
    .filter((variable) => variable.startsWith(VARIABLE_PREFIX))
    .flatMap((variable) => {
      const meant = RENAMED.get(variable) ?? nearestName(variable, VARIABLES);
      return meant === undefined ? [] : [sentence(variable, meant)];
    }),
];

function nearest(name: string): string | undefined {
  const renamed = RENAMED.get(`${PREFIX}${name}`);
  if (renamed !== undefined) return renamed;
  const meant = nearestName(name, NAMES);
  return meant === undefined ? undefined : `${PREFIX}${meant}`;
}

const sentence = (given: string, meant: string | undefined): string =>
  `${given} is not a setting of this provider and has no effect` +
  (meant === undefined ? `: the settings are ${NAMES.join(', ')}.` : `: did you mean ${meant}?`);

/**
 * Advice for a refused key: where it came from. The engine takes the settings of a refresh and of a destroy from the state and
 * not from the stack configuration, so a replaced key may still be sent.
 */
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

/** Warnings about settings that are all valid. */
export const settingsNotes = ({ baseUrl, proxy }: Pick<ClientSettings, 'baseUrl' | 'proxy'>): string[] =>
  proxy !== undefined && baseUrl.startsWith('http:')
    ? [
        `${PREFIX}proxy is not used: only https goes through a proxy, and ${PREFIX}baseUrl is http, which never leaves the machine.`,
      ]
    : [];
