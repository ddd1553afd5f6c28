import {
  DiffResponse,
  type CheckRequest,
  type CheckResponse,
  type DiffRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { Properties } from '../../fields/field';
import { misspeltSettings } from '../../settings/advice';
import {
  CONFIG_NAMESPACE,
  isSecretSetting,
  PROVIDER_NAME_KEY,
  readSettings,
  type SettingName,
} from '../../settings/settings';
import { serviceAddress } from '../../values/service-address';
import { isUnknown } from '../../values/unknowns';
import type { Config, HostRun } from '../run';
import { plainProperties, secretNames } from './property-bags';
import { checkResponse } from './resource';

const OF_THE_ENGINE = ['version', 'pluginDownloadURL'];

/**
 * The settings of a provider by their full keys. A program may give a number as a number or as its text.
 *
 * @param urn The provider's: an explicit one has a name.
 */
export function configOf(settings: Properties, urn: string): Config {
  return (key) => {
    if (key === PROVIDER_NAME_KEY) return explicitName(urn);
    const value = settings[key.slice(CONFIG_NAMESPACE.length + 1)];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
}

/** The engine names providers that no program has made "default", followed by the version if there is one. */
function explicitName(urn: string): string | undefined {
  const name = urn.split('::').slice(3).join('::');
  return name === '' || /^default(_|$)/.test(name) ? undefined : name;
}

/** Reports at the preview, all at once, which settings are missing or wrong. Unknown values are checked once they are known. */
export function checkConfig(request: CheckRequest, { warn, marked }: HostRun): CheckResponse {
  const given = plainProperties(request.getNews(), marked.note);
  for (const line of misspeltSettings(keysOf(given))) warn(line);
  const config = configOf(given, request.getUrn());
  const { problems } = readSettings({ config, environment: process.env });
  const isOpen = (name: SettingName): boolean => isUnknown(given[name]);
  const failures = problems
    .filter(({ name }) => !isOpen(name))
    .map(({ sentence }) => marked.conceal(sentence));
  const secrets = [...secretNames(request.getNews()), ...Object.keys(given).filter(isSecretSetting)];
  return checkResponse(given, failures, new Set(secrets));
}

const keysOf = (given: Properties): string[] =>
  Object.keys(given)
    .filter((name) => !OF_THE_ENGINE.includes(name))
    .map((name) => `${CONFIG_NAMESPACE}:${name}`);

/** At another address, the same ids mean other objects. Whether another key belongs to another account cannot be known. */
export function diffConfig(request: DiffRequest): DiffResponse {
  const [olds, news] = [plainProperties(request.getOlds()), plainProperties(request.getNews())];
  const changed = [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (name) => !OF_THE_ENGINE.includes(name) && olds[name] !== news[name],
  );
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const isElsewhere =
    explicitName(request.getUrn()) !== undefined && isOtherAddress(olds['baseUrl'], news['baseUrl']);
  return new DiffResponse()
    .setChanges(changed.length > 0 ? DIFF_SOME : DIFF_NONE)
    .setDiffsList(changed)
    .setReplacesList(isElsewhere ? ['baseUrl'] : []);
}

/** An address that comes from the environment, or is not known yet, is not compared. */
const isOtherAddress = (before: unknown, now: unknown): boolean =>
  [before, now].every((text) => typeof text === 'string' && text !== '' && !isUnknown(text)) &&
  serviceAddress(String(before)) !== serviceAddress(String(now));
