import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { checkout } from '../../support/workspace';

jest.setTimeout(60_000);

/** Whether a fresh process has loaded a file with this in its path after this script, and what it has begun. */
const loadedBy = (script: string, part: string): string => {
  const handler = join(checkout, 'provider', 'src', 'hosts', 'dynamic', 'handler.ts');
  const hook = join(checkout, 'tests', 'support', 'typescript-require.cjs');
  const count = `Object.keys(require.cache).filter((file) => file.includes(${JSON.stringify(part)})).length`;
  const source = `const { handler } = require(${JSON.stringify(handler)}); ${script}; setImmediate(() => console.log(${count} > 0));`;
  return execFileSync(process.execPath, ['--require', hook, '-e', source], { encoding: 'utf8' }).trim();
};

test('a process that checks and compares resources loads neither the client nor the other types of resource', () => {
  const check = `handler('IpPolicyRule').check({}, { cidr: '10.0.0.0/8' })`;
  expect(loadedBy(check, '/src/resources/ip-policy-rule.ts')).toBe('true');
  expect(loadedBy(check, '/src/api/client.ts')).toBe('false');
  expect(loadedBy(check, '/src/resources/ip-policy-rule-operations.ts')).toBe('false');
  expect(loadedBy(check, '/src/resources/ip-policy-rule-set.ts')).toBe('false');
});

test('one that makes a client does', () => {
  const { EDGE_POLICY_API_KEY: key, EDGE_POLICY_BASE_URL: url } = process.env;
  expect([key, url]).toEqual([undefined, undefined]);
  const create = `
    process.env.EDGE_POLICY_API_KEY = 'key-1';
    process.env.EDGE_POLICY_BASE_URL = 'http://127.0.0.1:1';
    handler('IpPolicyRule').delete('ipr_1', {}).catch(() => undefined)`;
  expect(loadedBy(create, '/src/api/client.ts')).toBe('true');
});
