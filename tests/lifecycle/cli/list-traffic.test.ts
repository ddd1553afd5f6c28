// `list` with access logs: who uses each rule of the account, and which matched nobody.
import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { folderOf } from '../../support/folder';
import { otherPolicyId, policyId } from '../../support/ids';
import { serviceWith } from '../../support/service-stack';
import { managing } from '../../support/state-resource';
import { systemClock } from '../../../provider/src/api/clock';
import path from 'node:path';

const OLD = '2025-01-01T00:00:00Z';

/** Rules of two policies, and a log of the first one: clients of the office and of the guests, one through both rules. */
async function account() {
  const service = await serviceWith(
    { id: 'ipr_office', cidr: '192.0.2.0/24', created_at: OLD, description: 'Office' },
    { id: 'ipr_guests', cidr: '192.0.2.128/25', created_at: OLD },
    { id: 'ipr_old', cidr: '203.0.113.0/25', created_at: OLD, metadata: '{"owner":"dana"}' },
    { id: 'ipr_wide', cidr: '198.51.100.0/24', created_at: OLD },
    { id: 'ipr_deny', cidr: '192.0.2.66/32', created_at: OLD, action: 'deny' },
    { id: 'ipr_block', cidr: '10.0.0.0/8', created_at: OLD, action: 'deny' },
    { id: 'ipr_young', cidr: '100.64.0.0/10', created_at: '2026-06-10T00:00:00Z' },
    { id: 'ipr_other', cidr: '192.0.2.0/24', created_at: OLD, ip_policy_id: otherPolicyId },
  );
  const seen = (day: string, address: string) =>
    `${address} - - [${day}/Jun/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "curl/8"\n`;
  const office = seen('01', '192.0.2.7') + seen('03', '192.0.2.7');
  const text = office + seen('05', '192.0.2.200') + seen('20', '192.0.2.66');
  const log = path.join(folderOf({ 'access.log': text }), 'access.log');
  const line = new CommandLine(service).withPulumi(
    stackHolding([{ ...managing('old', 'ipr_old'), sourcePosition: 'project:///index.ts#9,3' }]),
  );
  return { service, line, own: `policy:${policyId}=${log}`, log };
}

test('each rule with its clients and requests, and those for whom it alone decides', async () => {
  const { line, own } = await account();
  const { exitCode, stdout } = await line.run('list', '--traffic', own);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    / +network +id +resource +clients +requests +needed +first seen +last seen +description/,
  );
  const seen = '2026-06-01T08:00:00Z';
  expect(stdout).toMatch(
    new RegExp(`allow +192\\.0\\.2\\.0/24 +ipr_office +- +3 +4 +1 +${seen} +2026-06-20T08:00:00Z +Office`),
  );
  expect(stdout).toMatch(/allow +192\.0\.2\.128\/25 +ipr_guests +- +1 +1 +0 /);
  expect(stdout).toMatch(/deny +192\.0\.2\.66\/32 +ipr_deny +- +1 +1 +1 /);
  expect(stdout).toMatch(/allow +203\.0\.113\.0\/25 +ipr_old +old \(index\.ts:9\) +0 +0 +0\n/);
  expect(stdout).toContain('there is no log of this policy');
});

test('--unused: what matched nobody, the widest first; and what the log cannot say, with the reason', async () => {
  const { line, own } = await account();
  const { exitCode, stdout } = await line.run('list', '--traffic', own, '--unused');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('2 of 7 rules matched nobody in 19 days of log\n');
  expect(stdout).toMatch(
    /allow +198\.51\.100\.0\/24 +ipr_wide +- +created 2025-01-01, silent for 19 days\n +allow +203\.0\.113\.0\/25 +ipr_old +old \(index\.ts:9\) +created 2025-01-01, silent for 19 days +dana\n/,
  );
  expect(stdout).toContain(
    'not decided for 1 rule, as the rule is younger than the log and than 30 days of it: allow 100.64.0.0/10, silent for 10 days\n',
  );
  expect(stdout).toContain(
    'not decided for 1 rule, as a log may lack the requests that were refused: deny 10.0.0.0/8\n',
  );
  expect(stdout).not.toContain('ipr_office');
  // A younger rule is judged by the part of the log since it exists.
  const sooner = await line.run('list', '--traffic', own, '--unused', '--unused-after', '10');
  expect(sooner.stdout).toContain('3 of 7 rules matched nobody');
  expect(sooner.stdout).toMatch(/100\.64\.0\.0\/10 +ipr_young .*created 2026-06-10, silent for 10 days/);
  expect(await line.run('list', '--unused', '--unused-after', 'soon')).toMatchObject(
    noted(3, 'a number of days'),
  );
  const asJson = ['--unused', '--json', '--policy', policyId];
  const { policies } = (await line.run('list', '--traffic', own, ...asJson)).json as {
    policies: { rules: { id: string }[]; traffic: { rulesNotDecided: { id: string }[] } }[];
  };
  expect(policies.map(({ rules }) => rules.map(({ id }) => id))).toEqual([['ipr_wide', 'ipr_old']]);
  expect(policies[0]?.traffic.rulesNotDecided.map(({ id }) => id)).toEqual(['ipr_block', 'ipr_young']);
});

test('a log of all policies says so, and names no candidates', async () => {
  const { line, log } = await account();
  const { stdout } = await line.run('list', '--traffic', log);
  expect(stdout).toContain(
    `clients of all policies: for those of this one, give its log as policy:ipp_…=FILE`,
  );
  const { stdout: unused } = await line.run('list', '--traffic', log, '--unused');
  expect(unused).toContain('0 of 7 rules matched nobody in 19 days of log of all policies');
  expect(unused).toContain('not decided for 4 rules, as the log may lack the clients of this policy');
  const { stdout: one } = await line.run('list', '--policy', policyId, '--traffic', log, '--unused');
  expect(one).toContain('0 of 7 rules matched nobody in 19 days of log of all policies');
  expect(one).not.toContain(otherPolicyId);
});

test('a log of a policy without rules is refused', async () => {
  const { line, log } = await account();
  const refused = await line.run('list', '--traffic', `policy:ipp_typo=${log}`);
  expect(refused).toMatchObject(
    noted(3, 'A log is of ipp_typo, but the account has no rules of such a policy.'),
  );
  expect(refused.stdout).toBe('');
});

test('a rule around IPv4 addresses that are written as IPv6 may match IPv4 clients, so it is no candidate', async () => {
  const { line, own, service } = await account();
  service.emulator.seed({
    rules: [{ id: 'ipr_mapped', cidr: '::/80', action: 'allow', ip_policy_id: policyId, created_at: OLD }],
  });
  const { stdout } = await line.run('list', '--traffic', own, '--unused');
  expect(stdout).toContain('2 of 8 rules matched nobody');
  expect(stdout).toContain(
    'not decided for 1 rule, as it is not known what its network matches: allow ::/80',
  );
});

test('lines that cannot be read are named, also if they are few', async () => {
  const { line } = await account();
  const log = path.join(folderOf({ 'a.log': `${'192.0.2.7\n'.repeat(40)}host.example\n` }), 'a.log');
  const unread = `${JSON.stringify(log)}: 41 lines; 1 line cannot be read, the first is line 41`;
  const ask = ['list', '--policy', policyId, '--traffic', `policy:${policyId}=${log}`];
  for (const more of [[], ['--unused']]) {
    expect((await line.run(...ask, ...more)).stdout).toContain(unread);
    expect((await line.run(...ask, ...more, '--json')).json).toMatchObject({
      policies: [{ traffic: { unread: [unread] } }],
    });
  }
});

test('a log without times counts, and says that it has none', async () => {
  const { line } = await account();
  const log = path.join(folderOf({ 'a.log': '192.0.2.7 12\n' }), 'a.log');
  const { stdout } = await line.run('list', '--traffic', `policy:${policyId}=${log}`);
  expect(stdout).toMatch(/allow +192\.0\.2\.0\/24 +ipr_office +- +1 +12 +1 +Office/);
  const { stdout: unused } = await line.run('list', '--traffic', `policy:${policyId}=${log}`, '--unused');
  expect(unused).toContain('4 of 7 rules matched nobody in the log\n');
  expect(unused).toContain(
    'the log has no times, so it does not decide about a rule that is younger than the log',
  );
});

test('a log without clients decides nothing; without a log, --unused has nobody to ask', async () => {
  const { line } = await account();
  const log = path.join(folderOf({ 'a.log': '' }), 'a.log');
  const undecided = await line.run('list', '--traffic', `policy:${policyId}=${log}`, '--unused');
  expect(undecided).toMatchObject(printed(2, 'not decided: the log names no client'));
  expect(undecided.stdout).not.toContain('matched nobody');
  const refused = await line.run('list', '--unused');
  expect(refused).toMatchObject(noted(3, '--unused needs access logs: pass --traffic FILE'));
});

test('on a terminal, list says from two seconds on how many lines and how many rules it has read', async () => {
  const { service, line, own } = await account();
  service.emulator.setSwitches({ pageSize: 3 });
  const shown: string[] = [];
  let asked = 0;
  // After the first look each step finds that two seconds have passed.
  const monotonicMs = (): number => systemClock.monotonicMs() + 2500 * asked++;
  line.engine = { clock: { ...systemClock, monotonicMs }, progress: (text) => shown.push(text) };
  const { exitCode, stderr } = await line.run('list', '--traffic', own);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(shown).toContain('Reading the logs: 4 lines so far');
  const rules = shown.filter((text) => text.startsWith('Reading the rules of the account'));
  expect([...new Set(rules.map((text) => text.replace(/\D+/g, '')))]).toEqual(['3', '6', '8']);
});
