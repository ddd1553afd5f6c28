import { isSecretSetting, SETTINGS, type SettingName } from '../../provider/src/settings/settings';
import { docsOf } from './docstrings';

/** The settings of a provider, each with its variable of the environment. */
export function settingProperties(): Record<string, object> {
  const { members } = docsOf('program/provider.ts', 'ProviderArgs');
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: isNumber(name) ? 'integer' : 'string',
        description: `${members.get(name) ?? ''} From the environment: \`${SETTINGS[name].variable}\`.`,
        ...(isSecretSetting(name) ? { secret: true } : {}),
      },
    ]),
  );
}

const isNumber = (name: SettingName): boolean => /^max|Seconds$|PerMinute$/.test(name);
