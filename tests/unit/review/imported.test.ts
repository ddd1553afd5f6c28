import { policyLines } from '../../../provider/src/values/policy-document';
import { previewOf, ruleSet, tcp } from './preview-builder';
import { newIds, reviewed } from './reviewing';

// The first preview after a native import compares what Pulumi has written into state, the inputs as a program gives them, with what
// check makes of the program.
const rules = [
  { cidr: '8.8.8.0/24', action: 'allow', description: 'Office' },
  { cidr: '9.9.9.0/24', action: 'deny' },
];
const lines = "@rules\n8.8.8.0/24: allow 'Office'\n9.9.9.0/24: deny\n";
const set = (before: object, after: string) =>
  previewOf(
    ruleSet('offices', {
      before: { ipPolicyId: 'ipp_1', exclusive: false, rules: before },
      after: { ipPolicyId: 'ipp_1', exclusive: false, rules: after },
    }),
  );

const policy = { inbound: [{ expressions: ["conn.client_ip == '8.8.8.8'"], actions: [{ type: 'deny' }] }] };
const trafficPolicy = (after: object) =>
  previewOf(
    tcp('edge', {
      before: { edgeId: 'edgtcp_1', enabled: true, value: policy },
      after: { edgeId: 'edgtcp_1', enabled: true, value: policyLines(JSON.stringify(after)) },
    }),
  );

test('a set that was just imported is compared rule by rule', () => {
  expect(newIds(reviewed(set(rules, lines)))).toEqual([]);
  expect(newIds(reviewed(set(rules, lines.replace('8.8.8.0/24', '8.8.0.0/16'))))).toContain('access-widened');
});

test('a traffic policy that was just imported is compared by what it says', () => {
  expect(newIds(reviewed(trafficPolicy(policy)))).toEqual([]);
  expect(newIds(reviewed(trafficPolicy({ inbound: [] })))).not.toEqual([]);
});

test('inputs that are no rules are not judged', () => {
  expect(newIds(reviewed(set([{ cidr: 'office' }], lines)))).toContain('access-may-change');
});
