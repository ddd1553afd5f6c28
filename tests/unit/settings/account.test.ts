import { Account } from '../../../provider/src/settings/account';
import { UNKNOWN } from '../../../provider/src/values/unknowns';

const accountAt = (baseUrl: string): Account => {
  const settings: Record<string, string> = {
    'edge-policy:baseUrl': baseUrl,
    'edge-policy:apiKey': 'key',
    'edge-policy:providerName': 'own',
  };
  return new Account({ config: (key) => settings[key], environment: {} });
};

test('the mark is that of the address, in whatever spelling', () => {
  const { mark } = accountAt('https://api.example.com');
  expect(accountAt('HTTPS://API.example.com').mark).toBe(mark);
  expect(accountAt('HTTPS://API.example.com').isElsewhere(mark)).toBe(false);
  expect(accountAt('https://api.example.com:8443').isElsewhere(mark)).toBe(true);
});

test('settings that are set, known and wrong are told of, for a preview', () => {
  expect(accountAt('http://localhost:4010').wrongSettings).toEqual([
    expect.stringMatching(/^The argument baseUrl of the provider "own" .* not for "localhost"/),
  ]);
  for (const baseUrl of ['http://127.0.0.1:4010', 'http://[::1]:4010', '', UNKNOWN])
    expect(accountAt(baseUrl).wrongSettings).toEqual([]);
});
