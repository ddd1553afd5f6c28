import { serviceAddress } from '../../../provider/src/values/service-address';

const address = 'https://api.example.com/v2';

test.each([
  ['its scheme in capitals', 'HTTPS://api.example.com/v2'],
  ['its host in capitals', 'https://API.Example.com/v2'],
  ['its host encoded', 'https://%61pi.example.com/v2'],
  ['the default port', 'https://api.example.com:443/v2'],
  ['slashes at its end', 'https://api.example.com/v2//'],
  ['a detour', 'https://api.example.com/v1/../v2/.'],
  ['its path encoded', 'https://api.example.com/%76%32'],
])('an address with %s is the same', (_what, text) => {
  expect(serviceAddress(text)).toBe(address);
});

test('the case of hexadecimal digits does not count, and what must be encoded stays encoded', () => {
  expect(serviceAddress('https://a.example/x%2fy%7e')).toBe('https://a.example/x%2Fy~');
  expect(serviceAddress('HTTP://127.1:80/')).toBe('http://127.0.0.1');
  expect(serviceAddress('http://[0:0:0:0:0:0:0:1]:4010/v2/')).toBe('http://[::1]:4010/v2');
});

test.each([
  ['another port', 'https://api.example.com:8443/v2'],
  ['another scheme', 'http://api.example.com/v2'],
  ['a path in another case', 'https://api.example.com/V2'],
  ['no path', 'https://api.example.com'],
  ['a dot at the end of its host', 'https://api.example.com./v2'],
  ['an encoded slash', 'https://api.example.com%2Fv2'],
])('an address with %s is another one', (_what, text) => {
  expect(serviceAddress(text)).not.toBe(address);
});

test.each(['', '[secret]', '04da6b54-80e4-46f7-96ec-b56ff0331ba9'])(
  '%j is no URL and stays as it is',
  (text) => {
    expect(serviceAddress(text)).toBe(text);
  },
);
