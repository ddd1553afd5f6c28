// A row of the service's list that is no rule as the document describes it, for the commands that only read.
import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { otherPolicyId, policyId } from '../../support/ids';
import { startService } from '../../support/service-stack';
import { resource } from '../../support/state-resource';
import { added, kept, previewText } from '../../unit/review/preview-builder';
import { rule } from '../../unit/review/inputs';

const [NETWORK, ODD] = ['203.0.113.0/24', '198.51.100.0/24'];
const office = resource('IpPolicyRule', 'office', rule(NETWORK, 'allow', policyId));
const same = kept('office', rule(NETWORK, 'allow', policyId));

/** A stack with one rule, and an odd row in a policy. */
async function lineWith(ip_policy_id: string): Promise<CommandLine> {
  const service = await startService();
  const { remote } = service.emulator;
  remote.createRule({ id: office.id, cidr: NETWORK, action: 'allow', ip_policy_id: policyId });
  remote.createRule({ id: 'ipr_a/b', cidr: ODD, action: 'allow', ip_policy_id });
  const line = new CommandLine(service).withPulumi(stackHolding([office]));
  line.write('same.json', previewText([{ ...same, state: { id: office.id } }]));
  const more = added('more', rule('192.0.2.0/24', 'allow', policyId));
  line.write('more.json', previewText([{ ...same, state: { id: office.id } }, more]));
  return line;
}

const ROW = 'unreadable row 1 (body.ip_policy_rules[0].';
const UNDECIDED = `not decided: the "cidr" of "${ROW}`;

test('of another policy: nothing of the stack depends on it', async () => {
  const line = await lineWith(otherPolicyId);
  expect(await line.run('review', 'same.json', '--live')).toMatchObject(printed(0, 'does not affect access'));
  expect((await line.run('review', 'more.json', '--live')).stdout).not.toContain('unreadable');
  const asked = (policy: string) => line.run('explain', '203.0.113.7', '--policy', policy, '--live');
  expect(await asked(policyId)).toMatchObject(printed(0, 'let in'));
  expect(await asked(otherPolicyId)).toMatchObject(printed(2, UNDECIDED));
});

test.each([
  ['of the policy', policyId],
  ['of a policy that cannot be read, either', 'ipp_/'],
])('%s: who gets in is not decided, and what it cannot change is', async (_, ofPolicy) => {
  const line = await lineWith(ofPolicy);
  expect(await line.run('review', 'same.json', '--live')).toMatchObject(printed(0, 'does not affect access'));
  expect((await line.run('review', 'more.json', '--live')).stdout).toContain(ROW);
  const asked = line.run('explain', '203.0.113.7', '--policy', policyId, '--live');
  expect((await asked).exitCode).toBe(2);
});

test('list and page show the rows that can be read, and name the other one', async () => {
  const line = await lineWith(otherPolicyId);
  const listed = await line.run('list');
  expect(listed).toMatchObject({ ...printed(0, NETWORK), ...noted(0, `Not shown: ${ROW}`) });
  expect((await line.run('list', '--json')).stdout).toContain(`"${ROW}`);
  expect(await line.run('list', '--unmanaged', '--no-siblings')).toMatchObject(
    noted(3, 'must be an identifier'),
  );
  const own = await line.run('list', '--unmanaged', '--no-siblings', '--policy', policyId);
  expect(own).toMatchObject(printed(0, 'No unmanaged rules'));
  expect(await line.run('page', '--live', '--csv', 'evidence.csv')).toMatchObject({ exitCode: 0 });
  expect(line.read('evidence.csv')).toContain(`${otherPolicyId},(unreadable),`);
});

test('doctor warns of the row, and says nothing of all being readable', async () => {
  const line = await lineWith(otherPolicyId);
  const { exitCode, stdout } = await line.run('doctor');
  expect(stdout).toMatch(
    /WARN {2}rules readable +the list has rows that are no rules: body\.ip_policy_rules\[0\]\..* must be an identifier.*\n +-> correct or delete them on the service/,
  );
  expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('a program can declare every network')]);
});
