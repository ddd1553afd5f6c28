import { edgePolicy } from '../support/edge-policy-cli';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { stackOnService } from '../support/service-stack';

const OFFICES = `import { IpPolicyRule } from 'pulumi-edge-policy';

export function office(name, cidr) {
  return new IpPolicyRule(name, { ipPolicyId: '${policyId}', action: 'allow', cidr });
}
`;
const INDEX = `import { IpPolicyRule } from 'pulumi-edge-policy';
import { office } from './lib/offices.js';

office('lisbon', '203.0.113.0/24');
new IpPolicyRule('top', { ipPolicyId: '${policyId}', action: 'deny', cidr: '198.51.100.0/24' });
`;

test('of a program in ES modules, reports name the files of the project, and no path of the machine', async () => {
  const folder = folderOf({
    'Pulumi.yaml':
      '{ "name": "harness", "runtime": { "name": "nodejs", "options": { "typescript": false } } }',
    'package.json': '{ "name": "program", "private": true, "type": "module", "main": "index.js" }',
    'index.js': INDEX,
    'lib/offices.js': OFFICES,
  });
  const { stack } = await stackOnService({ program: { folder } });
  const review = await edgePolicy(stack, ['review', '--stack=dev', '--format=json']);
  const { findings } = JSON.parse(review.stdout) as { findings: { id: string; where?: object }[] };
  expect(findings.find(({ id }) => id === 'access-widened')).toMatchObject({
    where: { name: 'lisbon', source: { file: 'lib/offices.js', line: 4, column: 10 } },
  });
  await stack.up();
  const rules = await edgePolicy(stack, ['list', '--stack=dev', '--json']);
  const { policies } = JSON.parse(rules.stdout) as { policies: { rules: object[] }[] };
  expect(policies[0]?.rules).toContainEqual(
    expect.objectContaining({ cidr: '203.0.113.0/24', source: 'lib/offices.js:4' }),
  );
  expect(review.stdout + rules.stdout).not.toContain('file:');
});
