// What for: the settings of the provider, from stack configuration and environment, and advice about them.
// Must not know: `resources` and `hosts`.
import { parseBaseUrl, parseProxy } from '../api/base-url';
import type { ClientSettings } from '../api/client-settings';
import { UserError } from '../errors/user-error';
import { isVisibleAscii } from '../values/printable';

export const CONFIG_NAMESPACE = 'edge-policy';

/** A setting that only programs read: which host serves the resources. */
export const HOST_SETTING = 'host';

/** Under this key an explicit provider passes its name, so that messages speak of its arguments. */
export const PROVIDER_NAME_KEY = `${CONFIG_NAMESPACE}:providerName`;

/** The sources of settings: the stack configuration, or the arguments of a provider, win over the environment. */
export interface SettingsSources {
  readonly config: (key: string) => string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Turns a setting's text into its value. Throws a sentence, without the value if that could be secret. */
type Reader<T> = (text: string) => T;

interface Setting<T> {
  readonly variable: string;
  readonly read: Reader<T>;
  readonly defaultValue?: T;
  /** The name of the client's setting, if it is not the same. */
  readonly as?: keyof ClientSettings;
  /** Of a required setting: how to set it in the configuration; empty if it does not belong there. */
  readonly example?: string;
  /** Kept as a secret in states. */
  readonly isSecret?: true;
}

const visibleAscii: Reader<string> = (text) => {
  if (!isVisibleAscii(text))
    throw new Error('has characters other than visible ASCII (a line break or a space at its end?)');
  return text;
};

const wholeNumber =
  (least: number, most: number): Reader<number> =>
  (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < least || Number(text) > most) {
      throw new Error(
        `must be a whole number from ${least} to ${most}, not ${JSON.stringify(text.slice(0, 40))}`,
      );
    }
    return Number(text);
  };

const seconds =
  (most: number): Reader<number> =>
  (text) =>
    wholeNumber(1, most)(text) * 1000;

/** Section 9 of the document. No header that the transport sends, a proxy acts on, or that carries keys has such a name. */
const headerName: Reader<string> = (text) => {
  if (/^[A-Za-z0-9-]{1,100}$/.test(text) && /version/i.test(text)) return text;
  throw new Error(`must be a header name that contains "Version", not ${JSON.stringify(text.slice(0, 40))}`);
};

function proxyUrl(text: string): string {
  parseProxy(text);
  return text;
}

/** Every setting: its name in the stack configuration, its environment variable, its default. */
export const SETTINGS = {
  apiKey: {
    variable: 'EDGE_POLICY_API_KEY',
    read: visibleAscii,
    defaultValue: '',
    isSecret: true,
    // Not in the configuration, which every program of a pull request reads in clear.
    example: '',
  },
  baseUrl: {
    variable: 'EDGE_POLICY_BASE_URL',
    read: (text) => parseBaseUrl(text).href,
    defaultValue: '',
    example: 'pulumi config set edge-policy:baseUrl https://…',
  },
  versionHeader: {
    variable: 'EDGE_POLICY_VERSION_HEADER',
    read: headerName,
    defaultValue: 'Service-Version',
  },
  apiVersion: { variable: 'EDGE_POLICY_API_VERSION', as: 'version', read: visibleAscii, defaultValue: '2' },
  maxConcurrency: { variable: 'EDGE_POLICY_MAX_CONCURRENCY', read: wholeNumber(1, 256), defaultValue: 8 },
  requestTimeoutSeconds: {
    variable: 'EDGE_POLICY_REQUEST_TIMEOUT_SECONDS',
    as: 'requestTimeoutMs',
    read: seconds(3600),
    defaultValue: 30_000,
  },
  operationTimeoutSeconds: {
    variable: 'EDGE_POLICY_OPERATION_TIMEOUT_SECONDS',
    as: 'operationTimeoutMs',
    read: seconds(86_400),
    defaultValue: 300_000,
  },
  maxAttempts: { variable: 'EDGE_POLICY_MAX_ATTEMPTS', read: wholeNumber(1, 20), defaultValue: 4 },
  requestsPerMinute: { variable: 'EDGE_POLICY_REQUESTS_PER_MINUTE', read: wholeNumber(1, 1_000_000) },
  // Its address may contain a password.
  proxy: { variable: 'EDGE_POLICY_PROXY', read: proxyUrl, isSecret: true },
} satisfies Record<string, Setting<string> | Setting<number>>;

export type SettingName = keyof typeof SETTINGS;

export const isSecretSetting = (name: string): boolean =>
  Object.hasOwn(SETTINGS, name) && 'isSecret' in SETTINGS[name as SettingName];

/** Where a setting's text was found; undefined if it is not set. */
export function findSetting(
  name: SettingName,
  sources: SettingsSources,
): { text: string; place: string } | undefined {
  const key = `${CONFIG_NAMESPACE}:${name}`;
  const configured = sources.config(key);
  if (configured !== undefined && configured !== '') return { text: configured, place: key };
  const { variable } = SETTINGS[name];
  const inherited = sources.environment[variable];
  return inherited === undefined || inherited === '' ? undefined : { text: inherited, place: variable };
}

export interface SettingProblem {
  readonly name: SettingName;
  readonly sentence: string;
}

/** @throws UserError with all problems at once. */
export function resolveSettings(sources: SettingsSources): ClientSettings {
  const { settings, problems } = readSettings(sources);
  if (problems.length > 0) throw new UserError(problems.map(({ sentence }) => sentence).join('\n'));
  return settings;
}

/** The settings, with defaults for those that are missing or invalid, and everything that is wrong with them. */
export function readSettings(sources: SettingsSources): {
  readonly settings: ClientSettings;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const read = (name: SettingName, setting: Setting<string | number>): string | number | undefined => {
    const given = findSetting(name, sources);
    if (given === undefined) {
      if (setting.example !== undefined)
        problems.push({ name, sentence: missing(name, setting.example, sources) });
      return setting.defaultValue;
    }
    try {
      return setting.read(given.text);
    } catch (error) {
      problems.push({
        name,
        sentence: `${bothPlaces(name, given.place, sources)} ${(error as Error).message}`,
      });
      return setting.defaultValue;
    }
  };
  const all = Object.entries(SETTINGS) as [SettingName, Setting<string | number>][];
  const values = all.map(([name, setting]) => [setting.as ?? name, read(name, setting)] as const);
  const given = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  return { settings: given as unknown as ClientSettings, problems };
}

function missing(name: SettingName, example: string, sources: SettingsSources): string {
  const argument = argumentOf(name, sources);
  const place = example === '' ? '' : `run "${example}", or `;
  const [what, how] =
    argument === undefined ? [`${CONFIG_NAMESPACE}:${name}`, place] : [argument, 'pass it, or '];
  return `${what} is not set: ${how}set the environment variable ${SETTINGS[name].variable}`;
}

function bothPlaces(name: SettingName, place: string, sources: SettingsSources): string {
  const argument = argumentOf(name, sources);
  const key = `${CONFIG_NAMESPACE}:${name}`;
  const { variable } = SETTINGS[name];
  const source = place === variable ? variable : argument === undefined ? key : 'the argument';
  return `${argument ?? key} (or ${variable}), read from ${source},`;
}

/** A setting as the argument of an explicit provider. Undefined for the stack's own. */
function argumentOf(name: SettingName, { config }: SettingsSources): string | undefined {
  const provider = config(PROVIDER_NAME_KEY);
  return provider === undefined ? undefined : `The argument ${name} of the provider "${provider}"`;
}
