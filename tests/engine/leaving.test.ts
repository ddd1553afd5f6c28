import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

// docs/leaving.md, as printed there.
const rules = ['192.0.2.0/24', '198.51.100.0/24'].map((cidr) => ({ cidr, action: 'allow' }));

const set = (options: object = {}): string =>
  `new IpPolicyRuleSet('offices', ${literal({ ipPolicyId: policyId, rules })}, ${literal(options)});`;
const partner = `new IpPolicyRule('partner', ${literal({ ipPolicyId: policyId, cidr: '10.0.0.0/8', action: 'deny' })});`;

const singles = (options: object): string =>
  rules
    .map(
      (rule) =>
        `new IpPolicyRule('${rule.cidr}', ${literal({ ipPolicyId: policyId, ...rule, ...options })});`,
    )
    .join('\n');

const nothing = 'return {};';

test('retainOnDelete and the removal from the program, or "state delete": what the stack owned stays live, and nothing is sent', async () => {
  const { stack, emulator } = await stackOnService({ program: program(`${set()} ${partner} ${nothing}`) });
  await stack.up();
  const { rules: live } = emulator.state();
  emulator.clearJournal();
  stack.writeProgram(program(`${set({ retainOnDelete: true })} ${partner} ${nothing}`));
  await stack.up();
  const urn = ownResources(await stack.state()).find((each) => each.urn.endsWith('::partner'))?.urn ?? '';
  await stack.call(['state', 'delete', urn, '--yes']);
  stack.writeProgram(program(nothing));
  expect((await stack.up()).changes).toEqual({ delete: 1 });
  expect(emulator.journal).toEqual([]);
  expect(emulator.state().rules).toEqual(live);
});

test('a set becomes one resource for each rule: the rules keep their ids, and the mark is removed without a request', async () => {
  const { stack, emulator } = await stackOnService({ program: program(`${set()} ${nothing}`) });
  await stack.up();
  const { rules: live } = emulator.state();
  stack.writeProgram(program(`${singles({ overwriteExisting: true })} ${nothing}`));
  expect((await stack.up()).changes).toEqual({ create: 2, delete: 1 });
  expect(emulator.state().rules).toEqual(live);
  emulator.clearJournal();
  stack.writeProgram(program(`${singles({})} ${nothing}`));
  await stack.up();
  expect(emulator.journal).toEqual([]);
  await stack.expectEmptyPreview();
});
