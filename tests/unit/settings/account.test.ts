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

test.each(['HTTPS://API.example.com', 'https://api.example.com:443/', 'https://%61pi.example.com'])(
  'the mark of %s is that of the same address in its usual spelling',
  (spelled) => {
    const { mark } = accountAt('https://api.example.com');
    expect(accountAt(spelled).mark).toBe(mark);
    expect(accountAt(spelled).isElsewhere(mark)).toBe(false);
  },
);

test('settings that are set, known and wrong are told of, for a preview', () => {
  expect(accountAt('http://localhost:4010').wrongSettings).toEqual([
    expect.stringMatching(/^The argument baseUrl of the provider "own" .* not for "localhost"/),
  ]);
  for (const baseUrl of ['http://127.0.0.1:4010', 'http://[::1]:4010', '', UNKNOWN])
    expect(accountAt(baseUrl).wrongSettings).toEqual([]);
});

test('another port is another service', () => {
  const { mark } = accountAt('https://api.example.com');
  expect(accountAt('https://api.example.com:8443').isElsewhere(mark)).toBe(true);
});
