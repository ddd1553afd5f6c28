import { resolveSettings, SETTINGS } from '../../../provider/src/settings/settings';

const needed = { 'edge-policy:apiKey': 'key', 'edge-policy:baseUrl': 'https://api.example.com' };
const resolve = (config: Record<string, string>, environment: Record<string, string> = {}) =>
  resolveSettings({ config: (key) => config[key], environment });

test('key and address are enough; everything else has a default', () => {
  expect(resolve(needed)).toEqual({
    apiKey: 'key',
    baseUrl: 'https://api.example.com',
    versionHeader: 'Service-Version',
    version: '2',
    maxConcurrency: 8,
    requestTimeoutMs: 30_000,
    operationTimeoutMs: 300_000,
    maxAttempts: 4,
  });
});

test('every setting has a variable, and the stack configuration wins over it', () => {
  const environment = {
    EDGE_POLICY_API_KEY: 'from environment',
    EDGE_POLICY_BASE_URL: 'https://env.example.com',
    EDGE_POLICY_VERSION_HEADER: 'X-Version',
    EDGE_POLICY_API_VERSION: '3',
    EDGE_POLICY_MAX_CONCURRENCY: '2',
    EDGE_POLICY_REQUEST_TIMEOUT_SECONDS: '5',
    EDGE_POLICY_OPERATION_TIMEOUT_SECONDS: '60',
    EDGE_POLICY_MAX_ATTEMPTS: '1',
    EDGE_POLICY_REQUESTS_PER_MINUTE: '120',
    EDGE_POLICY_PROXY: 'http://proxy.example.com:3128',
  };
  expect(Object.values(SETTINGS).map(({ variable }) => variable)).toEqual(Object.keys(environment));
  expect(resolve({ 'edge-policy:apiKey': 'config', 'edge-policy:apiVersion': '4' }, environment)).toEqual({
    apiKey: 'config',
    baseUrl: 'https://env.example.com',
    versionHeader: 'X-Version',
    version: '4',
    maxConcurrency: 2,
    requestTimeoutMs: 5_000,
    operationTimeoutMs: 60_000,
    maxAttempts: 1,
    requestsPerMinute: 120,
    proxy: 'http://proxy.example.com:3128',
  });
});

test('an empty value counts as not set', () => {
  expect(() => resolve({ ...needed, 'edge-policy:apiKey': '' })).toThrow('edge-policy:apiKey is not set');
});

test.each([
  ['http://localhost:4010', /must start with https:\/\/ .*not for "localhost", which the machine resolves/],
  ['http://api.example.com', /must start with https:\/\//],
  ['https://user:hunter2@api.example.com', /must not contain a user name or password/],
])('a wrong base URL is told by its setting and its place: %s', (baseUrl, problem) => {
  const attempt = () => resolve({ ...needed, 'edge-policy:baseUrl': baseUrl });
  expect(attempt).toThrow(
    /^edge-policy:baseUrl \(or EDGE_POLICY_BASE_URL\), read from edge-policy:baseUrl, must /,
  );
  expect(attempt).toThrow(problem);
  expect(attempt).not.toThrow(/hunter2/);
});

test.each<[name: string, value: string]>([
  ['maxConcurrency', '0'],
  ['maxConcurrency', '1.5'],
  ['maxAttempts', '21'],
  ['requestTimeoutSeconds', '3601'],
  ...[
    'Service Version',
    'Version:b',
    'Versiön',
    `Version${'x'.repeat(94)}`,
    'Authorization',
    'Cookie',
    'TE',
  ].map((name): [string, string] => ['versionHeader', name]),
  ...['2 ', '2\r\nX: 1', 'ä'].map((version): [string, string] => ['apiVersion', version]),
])('%s of %j is refused', (name, value) => {
  expect(() => resolve({ ...needed, [`edge-policy:${name}`]: value })).toThrow(`edge-policy:${name} (or `);
});

test.each([
  ...['foo', 'ftp://proxy.example.com', 'socks5://proxy', 'http://proxy/path', 'http://proxy/?q'],
  ...['user:hunter2@proxy.example.com:3128', 'http://u:hunter2@'],
])('a proxy that is none is told with the other settings, without its text: %s', (proxy) => {
  const attempt = () => resolve({ ...needed, 'edge-policy:proxy': proxy });
  expect(attempt).toThrow(/^edge-policy:proxy .* is not a URL such as/);
  expect(attempt).not.toThrow('hunter2');
});

test.each(['can ary', 'canary\n', 'canary\r\nX: 1', '\u00e4canary', 'canary\u0000', '\ufeffcanary'])(
  'the key %j is no header, and is not shown',
  (apiKey) => {
    const attempt = () => resolve({ ...needed, 'edge-policy:apiKey': apiKey });
    expect(attempt).toThrow('characters other than visible ASCII');
    expect(attempt).not.toThrow('canary');
  },
);

test('a proxy may have a password', () => {
  const proxy = 'https://user:pw@proxy.example.com/';
  expect(resolve({ ...needed, 'edge-policy:proxy': proxy })).toMatchObject({ proxy });
});
