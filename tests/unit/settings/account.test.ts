import { Account } from '../../../provider/src/settings/account';

const accountAt = (baseUrl: string): Account => {
  const settings: Record<string, string> = {
    'edge-policy:baseUrl': baseUrl,
    'edge-policy:apiKey': 'key',
    'edge-policy:providerName': 'own',
  };
  return new Account(() => ({ config: (key) => settings[key], environment: {} }));
};

test.each(['HTTPS://API.example.com', 'https://api.example.com:443/', 'https://%61pi.example.com'])(
  'the mark of %s is that of the same address in its usual spelling',
  (spelled) => {
    const { mark } = accountAt('https://api.example.com');
    expect(accountAt(spelled).mark).toBe(mark);
    expect(accountAt(spelled).isElsewhere(mark)).toBe(false);
  },
);

test('another port is another service', () => {
  const { mark } = accountAt('https://api.example.com');
  expect(accountAt('https://api.example.com:8443').isElsewhere(mark)).toBe(true);
});
