import {
  checkHeaderSettings,
  type ClientSettings,
  PACKAGE_VERSION,
} from '../../../provider/src/api/client-settings';
import packageJson from '../../../provider/package.json';

const settings: ClientSettings = {
  ...{ apiKey: 'key-1', baseUrl: 'https://api.example.com', versionHeader: 'Service-Version', version: '2' },
  ...{ maxConcurrency: 8, requestTimeoutMs: 30_000, operationTimeoutMs: 300_000, maxAttempts: 4 },
};

test('settings that make good headers pass', () => {
  expect(() => {
    checkHeaderSettings(settings);
    checkHeaderSettings({ ...settings, apiKey: '!~', version: '2030-01-01' });
  }).not.toThrow();
});

const KEYS = [
  '',
  ' ',
  'can ary',
  'canary\n',
  'canary\r\nX: 1',
  '\u00e4canary',
  'canary\u0000',
  '\ufeffcanary',
];
const HEADERS = [
  ...['', 'Version a', 'Version:b', 'Version\r\nb', 'Versiön', `Version${'x'.repeat(94)}`],
  ...['Authorization', 'host', 'Transfer-Encoding', 'Cookie'],
];

test.each<[Partial<ClientSettings>, string]>([
  ...KEYS.map((apiKey): [object, string] => [{ apiKey }, 'The API key']),
  ...HEADERS.map((versionHeader): [object, string] => [{ versionHeader }, 'name of the version header']),
  ...['', '2 ', '2\r\nX: 1', 'ä'].map((version): [object, string] => [
    { version },
    'value of the version header',
  ]),
])('%j is refused, and a key is not shown: %s', (change, said) => {
  const check = (): void => {
    checkHeaderSettings({ ...settings, ...change });
  };
  expect(check).toThrow(said);
  expect(check).not.toThrow('canary');
});

test('the version in the User-Agent header is that of the package', () => {
  expect(PACKAGE_VERSION).toBe(packageJson.version);
});
