import { RequestError } from '../../../provider/src/api/errors';
import { parseBaseUrl } from '../../../provider/src/api/base-url';
import { resolveTarget } from '../../../provider/src/api/transport';

test.each([
  ['https://api.example.com/', 'https://api.example.com', ''],
  ['https://api.example.com/v1//', 'https://api.example.com/v1', '/v1'],
  ['https://API.Example.com:443/v1', 'https://api.example.com/v1', '/v1'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010', ''],
  ['http://[::1]:4010/x', 'http://[::1]:4010/x', '/x'],
])('%s is a base URL', (text, href, pathPrefix) => {
  expect(parseBaseUrl(text)).toEqual({ href, origin: new URL(text).origin, pathPrefix });
});

test.each([
  ['', 'other characters that do not belong in a URL'],
  ['api.example.com', 'is not a URL'],
  ['ftp://api.example.com', 'must start with https://'],
  ['http://api.example.com', 'loopback'],
  ['http://localhost:4010', 'loopback'],
  ['http://127.0.0.1.example.com', 'loopback'],
  ['http://[::ffff:127.0.0.1]', 'loopback'],
  ['https://user@api.example.com', 'user name or password'],
  ['https://user:canary@api.example.com', 'user name or password'],
  ['https://:canary@api.example.com', 'user name or password'],
  ['https://api.example.com/v1?x=1', 'query or fragment'],
  ['https://api.example.com/#x', 'query or fragment'],
  ['https://api.example.com#', 'query or fragment'],
  [' https://api.example.com', 'other characters that do not belong in a URL'],
  ['https://api.example.com\n', 'other characters that do not belong in a URL'],
  ['https://api.example.com\\v1', 'other characters that do not belong in a URL'],
])('%j is no base URL: %s', (text, problem) => {
  const parse = (): unknown => parseBaseUrl(text);
  expect(parse).toThrow(problem);
  expect(parse).toThrow(RequestError);
  expect(parse).not.toThrow('canary');
});

const base = parseBaseUrl('https://api.example.com/v1');

test.each([
  '/../x',
  '/a/../../x',
  '/%2e%2e/x',
  '/../v10/x',
  'x',
  '',
  '.evil.example/x',
  '@evil.example/x',
  ':1/x',
])('a target that would leave the base URL is not sent: %j', (target) => {
  expect(() => resolveTarget(base, target)).toThrow('gone outside the base URL');
  expect(() => resolveTarget(parseBaseUrl('https://api.example.com'), target.replace(/^\/.*/, ''))).toThrow(
    'gone outside the base URL',
  );
});

test('a path of many slashes is checked in no time to speak of', () => {
  const slashes = '/'.repeat(200_000);
  expect(parseBaseUrl(`https://api.example.com${slashes}x${slashes}`).pathPrefix).toBe(`${slashes}x`);
});
