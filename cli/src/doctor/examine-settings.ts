import {
  findSetting,
  resolveSettings,
  type SettingName,
  SETTINGS,
} from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type ConfigReading, settingsSources } from '../pulumi/stack';
import type { CliContext } from '../command/context';
import { type DoctorCheck, ok, red, LET_THE_CLI_READ, skipped } from './doctor-check';

const KEY = 'edge-policy:apiKey';
const SET_SECRET = 'pulumi config set --secret edge-policy:apiKey';

/** Checks which settings there are, where they come from and whether they are valid. Never shows the key. */
export function examineSettings(
  context: CliContext,
  reading: ConfigReading,
  hasProject: boolean,
): DoctorCheck[] {
  const sources = settingsSources(context, reading);
  const found = (Object.keys(SETTINGS) as SettingName[]).flatMap((name): DoctorCheck[] => {
    const setting = findSetting(name, sources);
    if (setting === undefined) return [];
    const place = setting.place.startsWith('edge-policy:')
      ? 'stack configuration'
      : `environment, ${setting.place}`;
    return [
      ok(`setting ${name}`, name === 'apiKey' ? `set (${place})` : `${shown(name, setting.text)} (${place})`),
    ];
  });
  return [
    ...found,
    // If the configuration cannot be read, nothing is known of the settings: the failed reading is what to report.
    ...('problem' in reading && hasProject
      ? [red('stack configuration', reading.problem, LET_THE_CLI_READ)]
      : problems(() => resolveSettings(sources))),
    examineKeySecrecy(reading, sources.environment),
  ];
}

/** An address may hold a password, and a malformed one may hold it anywhere. */
function shown(name: SettingName, text: string): string {
  if (name !== 'proxy' && name !== 'baseUrl') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'set';
  return name === 'proxy' ? url.origin : url.origin + url.pathname.replace(/\/$/, '');
}

function problems(resolve: () => unknown): DoctorCheck[] {
  try {
    resolve();
    return [];
  } catch (error) {
    if (!isUserError(error)) throw error;
    return error.message.split('\n').map((line) => red('settings', line, 'correct it as described'));
  }
}

function examineKeySecrecy(reading: ConfigReading, environment: CliContext['environment']): DoctorCheck {
  const what = 'key stored as a secret';
  if ('problem' in reading) return skipped(what, 'the stack configuration could not be read');
  const key = reading.config.get(KEY);
  if (key === undefined) {
    const place = environment['EDGE_POLICY_API_KEY']
      ? 'the key comes from the environment'
      : 'there is no key';
    return ok(what, `${place}: it is not stored`);
  }
  if (key.secret) return ok(what, 'encrypted in the stack configuration');
  return red(
    what,
    'the key is stored in clear text, in the stack configuration and in the state',
    `issue a new key, run "${SET_SECRET}" with it, then "pulumi up"`,
  );
}
