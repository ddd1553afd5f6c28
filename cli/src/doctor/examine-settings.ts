import { resolveSettings } from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type ConfigReading, settingsSources } from '../pulumi/stack';
import type { CliContext } from '../command/context';
import { type DoctorCheck, LET_THE_CLI_READ, ok, red, skipped } from './doctor-check';

const KEY = 'edge-policy:apiKey';

/** Checks whether the settings are complete and valid, and how the key is stored. */
export function examineSettings(
  context: CliContext,
  reading: ConfigReading,
  hasProject: boolean,
): DoctorCheck[] {
  const sources = settingsSources(context, reading);
  return [
    // If the configuration cannot be read, nothing is known of the settings: the failed reading is what to report.
    ...('problem' in reading && hasProject
      ? [red('stack configuration', reading.problem, LET_THE_CLI_READ)]
      : problems(() => resolveSettings(sources))),
    examineKeySecrecy(reading, sources.environment),
  ];
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
    `issue a new key, set EDGE_POLICY_API_KEY to it, run "pulumi config rm ${KEY}", then "pulumi up", and revoke the old key`,
  );
}
