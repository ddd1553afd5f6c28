import {
  checkHeaderSettings,
  type ClientSettings,
  PACKAGE_VERSION,
} from '../../../provider/src/api/client-settings';
import { parseProxy } from '../../../provider/src/api/base-url';
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

test.each([
  '',
  ' ',
  'can ary',
  'canary\n',
  'canary\r\nX: 1',
  '\u00e4canary',
  'canary\u0000',
  '\ufeffcanary',
  'canary\u007f',
])('the key %j is refused and not shown', (apiKey) => {
  const check = (): void => {
    checkHeaderSettings({ ...settings, apiKey });
  };
  expect(check).toThrow('The API key');
  expect(check).not.toThrow('canary');
});

test.each([
  '',
  'a b',
  'a:b',
  'a\r\nb',
  'ä',
  'x'.repeat(101),
  'Authorization',
  'host',
  'CONTENT-TYPE',
  'Connection',
  'Transfer-Encoding',
  'TE',
  'Upgrade',
  'Proxy-Authorization',
  'Cookie',
  'Expect',
])('the version header %j is refused', (versionHeader) => {
  expect(() => {
    checkHeaderSettings({ ...settings, versionHeader });
  }).toThrow('name of the version header');
});

test.each(['', '2 ', '2\r\nX: 1', 'ä'])('the version %j is refused', (version) => {
  expect(() => {
    checkHeaderSettings({ ...settings, version });
  }).toThrow('value of the version header');
});

test.each([
  '',
  'proxy:3128',
  'ftp://proxy',
  'socks5://proxy',
  'http://proxy/path',
  'http://proxy/?q',
  'http://u:canary@',
])('the proxy %j is refused and not shown', (proxy) => {
  expect(() => parseProxy(proxy)).toThrow('The proxy is not a URL');
  expect(() => parseProxy(proxy)).not.toThrow('canary');
});

test('a proxy is an http or https URL, with or without a password', () => {
  expect(parseProxy('http://user:pw@proxy.example.com:3128').port).toBe('3128');
  expect(parseProxy('https://proxy.example.com/').protocol).toBe('https:');
});

test('the version in the User-Agent header is that of the package', () => {
  expect(PACKAGE_VERSION).toBe(packageJson.version);
});
