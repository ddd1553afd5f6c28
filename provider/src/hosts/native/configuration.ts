import {
  DiffResponse,
  type CheckRequest,
  type CheckResponse,
  type DiffRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { Properties } from '../../fields/field';
import { misspeltSettings } from '../../settings/advice';
import { CONFIG_NAMESPACE, readSettings, type SettingName } from '../../settings/settings';
import { isUnknown } from '../../values/unknowns';
import type { Config } from '../run';
import { plainProperties, secret } from './properties';
import { checkResponse } from './resource';

/** What the engine itself puts among the settings. */
const OF_THE_ENGINE = ['version', 'pluginDownloadURL'];

/** The settings of a provider by their full keys. A program may give a number as a number or as its text. */
export function configOf(settings: Properties): Config {
  return (key) => {
    const value = settings[key.slice(CONFIG_NAMESPACE.length + 1)];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
}

/** Says at the preview, and all at once, what is missing or wrong. What is not known yet is looked at when it is. */
export function checkConfig(request: CheckRequest, warn: (line: string) => void): CheckResponse {
  const given = plainProperties(request.getNews());
  for (const line of misspeltSettings(namesIn(given))) warn(line);
  const { problems } = readSettings({ config: configOf(given), environment: process.env });
  const isOpen = (name: SettingName): boolean => isUnknown(given[name]);
  const failures = problems.filter(({ name }) => !isOpen(name)).map(({ sentence }) => sentence);
  const { apiKey } = given;
  return checkResponse(apiKey === undefined ? given : { ...given, apiKey: secret(apiKey) }, failures);
}

const namesIn = (given: Properties): { configKeys: string[]; variables: string[] } => ({
  configKeys: Object.keys(given)
    .filter((name) => !OF_THE_ENGINE.includes(name))
    .map((name) => `${CONFIG_NAMESPACE}:${name}`),
  variables: Object.keys(process.env),
});

/** No setting is worth a replacement: resources stay what they are, whoever speaks for them. */
export function diffConfig(request: DiffRequest): DiffResponse {
  const [olds, news] = [plainProperties(request.getOlds()), plainProperties(request.getNews())];
  const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (name) => !OF_THE_ENGINE.includes(name) && olds[name] !== news[name],
  );
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  return new DiffResponse().setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE).setDiffsList(changed);
}
