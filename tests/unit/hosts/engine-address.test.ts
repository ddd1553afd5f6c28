import { engineAddress } from '../../../provider/src/hosts/engine-watch';

const host = '/project/node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js';

test.each([
  ['the host', ['node', host, '127.0.0.1:40123'], '127.0.0.1:40123'],
  ['the host with flags', ['node', host, '--logtostderr', '-v=9', '127.0.0.1:1'], '127.0.0.1:1'],
  ['the host on Windows', ['node', host.replaceAll('/', '\\'), '127.0.0.1:1'], '127.0.0.1:1'],
  ['the host over IPv6', ['node', host, '[::1]:1'], '[::1]:1'],
  ['a program that got an address', ['node', '/project/index.js', '127.0.0.1:40123'], undefined],
  ['a test runner', ['node', '/project/node_modules/jest/bin/jest.js', 'dynamic-provider'], undefined],
  ['a host without an engine', ['node', host], undefined],
  ['a host that was given another machine', ['node', host, '203.0.113.1:40123'], undefined],
  ['a REPL', ['node'], undefined],
])('%s, started by %j, has its engine at %j', (_what, argv, address) => {
  expect(engineAddress(argv)).toBe(address);
});
