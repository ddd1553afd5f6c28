import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { CHANGE, SITE } from '../../support/page-samples';
import { serviceWith } from '../../support/service-stack';
import { resource } from '../../support/state-resource';
import { added, previewText } from '../../unit/review/preview-builder';

const rule = (name: string, cidr: string, line: number) =>
  resource('IpPolicyRule', name, { ipPolicyId: policyId, cidr, action: 'allow' }, line);
const line = (resources: readonly object[] = SITE) => new CommandLine().withPulumi(stackHolding(resources));

test('it writes the page and the table for their owner only, and says how many rules there are', async () => {
  const stack = line();
  expect(await stack.run('page', '--csv', 'evidence.csv')).toMatchObject(
    printed(0, /^access\.html: who gets in by 7 rules \(\d+ kB\)\n$/),
  );
  for (const file of ['access.html', 'evidence.csv'])
    expect(lstatSync(path.join(stack.folder, file)).mode & 0o77).toBe(0);
  expect(stack.read('evidence.csv').split('\r\n')).toHaveLength(9);
  expect(stack.pulumiCalls().join('\n')).not.toContain('--show-secrets');
});

test('as JSON; of several stacks together, each once', async () => {
  const stack = line();
  const stacks = ['dev', 'prod', 'dev'].flatMap((name) => ['--stack', name]);
  const { json } = await stack.run('page', ...stacks, '--out', 'both.html', '--json');
  expect(json).toEqual({
    page: path.join(stack.folder, 'both.html'),
    bytes: expect.any(Number) as number,
    csv: null,
    rules: 14,
  });
});

test('with access logs, the table has who uses each rule', async () => {
  const stack = line();
  stack.write('access.log', '203.0.113.7 12\n203.0.113.8 1\n');
  await stack.run('page', '--csv', 'evidence.csv', '--traffic', `policy:${policyId}=access.log`);
  const [head, ...rows] = stack.read('evidence.csv').split('\r\n');
  expect(head).toContain(',Effect,Clients,Requests,Needed by,First seen,Last seen,Log,Managed,Decision');
  expect(rows.find((row) => row.includes('203.0.113.0/24'))).toContain(',2,13,2,,,the log,');
  expect(rows.find((row) => row.includes('203.0.113.64/26'))).toContain(',0,0,0,,,the log,');
  stack.write('access.log', 'nothing\n');
  const unread = await stack.run('page', '--csv', 'evidence.csv', '--traffic', 'access.log');
  expect(unread.exitCode).toBe(2);
  expect(stack.read('evidence.csv')).toContain(
    ',,,,,,"not decided: 1 of 1 line of ""access.log"" cannot be read',
  );
});

test('the table of the service has what is live, who manages it, and what was made by hand', async () => {
  const office = rule('office', '203.0.113.0/24', 4);
  const live = { id: office.id, cidr: '203.0.113.0/24', description: 'Office' };
  const service = await serviceWith(live, { cidr: '198.51.100.0/24' });
  const stack = new CommandLine(service).withPulumi(stackHolding([office]));
  expect(await stack.run('page', '--live', '--csv', 'evidence.csv')).toMatchObject({ exitCode: 0 });
  const rows = stack.read('evidence.csv').split('\r\n');
  expect(rows.find((row) => row.includes('203.0.113.0/24'))).toBe(
    `${policyId},203.0.113.0/24,allow,Office,,,,,decides,office (index.ts:4),`,
  );
  expect(rows.find((row) => row.includes('198.51.100.0/24'))).toMatch(
    new RegExp(`^${policyId},198\\.51\\.100\\.0/24,allow,,,,made [-\\d]+T[:\\d]+Z,,decides,by hand,$`),
  );
});

test.each<[string[], RegExp]>([
  [['--preview', 'preview.json', '--live'], /Give --preview or --live, not both/],
  [['--preview', 'preview.json', '--stack', 'dev'], /give --preview without --stack/],
  [['--preview', 'missing.json'], /cannot be read/],
  [['--preview', 'partial.json'], /does not show the whole change/],
  [['--out', 'link.html'], /symbolic link, which is not followed/],
])('nothing is written with %j', async (args, message) => {
  const stack = line();
  stack.write('preview.json', CHANGE);
  stack.write(
    'partial.json',
    previewText([added('one', { cidr: '10.0.0.0/8' })]).replace(
      '"changeSummary":{}',
      '"changeSummary":{"create":2}',
    ),
  );
  symlinkSync(path.join(stack.folder, 'elsewhere'), path.join(stack.folder, 'link.html'));
  expect(await stack.run('page', ...args)).toMatchObject(noted(3, message));
  expect(existsSync(path.join(stack.folder, 'access.html'))).toBe(false);
  expect(existsSync(path.join(stack.folder, 'elsewhere'))).toBe(false);
});
