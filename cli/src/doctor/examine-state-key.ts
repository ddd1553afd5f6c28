import { findSetting, type SettingsSources } from 'pulumi-edge-policy/internal/settings/settings';
import { isDefaultProvider, isHost, storedSetting, storedText } from '../pulumi/accounts';
import { type Deployment, isSecret, nameOfUrn, type StateResource } from '../pulumi/deployment';
import { type DoctorCheck, ok, red, warning } from './doctor-check';

const WHAT = 'key in state';
const KEY = 'edge-policy:apiKey';

/** Compares the key that an `up` would use with the one in state, which a refresh and a destroy use. Nothing of either key is shown. */
export function examineKeyInState({ resources }: Deployment, sources: SettingsSources): DoctorCheck[] {
  // An explicit provider gets its key from the program, which is not run here.
  const providers = resources.filter((resource) => isHost(resource) && isDefaultProvider(resource.urn));
  const isOutdated = providers.some((provider) => keyOfRefresh(provider, sources) !== keyOfUp(sources));
  const hasKey = providers.some((provider) => keyIn(provider) !== undefined);
  const current = hasKey ? 'the key that is set now' : 'none';
  return [isOutdated ? outdated(hasKey) : ok(WHAT, current), ...inClear(resources)];
}

const outdated = (hasKey: boolean): DoctorCheck =>
  red(
    WHAT,
    `${hasKey ? 'a different key from the one set now' : 'none, though one is set now'}; a refresh and a destroy use the one in the state`,
    'run "pulumi up" or "pulumi refresh --run-program", and revoke the old key only after that',
  );

const keyOfUp = (sources: SettingsSources): string | undefined => findSetting('apiKey', sources)?.text;

const keyOfRefresh = (provider: StateResource, { environment }: SettingsSources): string | undefined =>
  findSetting('apiKey', { config: () => keyIn(provider), environment })?.text;

function keyIn({ inputs }: StateResource): string | undefined {
  const key = storedText(inputs, KEY);
  return key === '' ? undefined : key;
}

/** The engine copies the stack configuration into the default provider: in clear if the key was set in clear. */
function inClear(resources: readonly StateResource[]): DoctorCheck[] {
  const holders = resources
    .filter(isHost)
    .filter(({ inputs, outputs }) => [inputs, outputs].some((bag) => isClear(storedSetting(bag, KEY))));
  if (holders.length === 0) return [];
  const names = holders.map(({ urn }) => nameOfUrn(urn)).join(', ');
  return [
    warning(
      'key in state encrypted',
      `the state holds the key in clear text (provider ${names})`,
      'issue a new key and set EDGE_POLICY_API_KEY to it, remove the old one from the configuration or the program, run "pulumi up", then revoke it: earlier versions of the state still hold it',
    ),
  ];
}

const isClear = (value: unknown): boolean => value !== undefined && value !== '' && !isSecret(value);
