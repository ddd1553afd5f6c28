// Stacks of one project beside each other: what one manages, the others neither adopt nor call made by hand.
import {
  CommandLine,
  exportOf,
  noted,
  printed,
  type PulumiAnswers,
  stackHolding,
} from '../../support/command-line';
import { policyId } from '../../support/ids';
import { serviceWith } from '../../support/service-stack';
import { ENCRYPTED, managing, resource } from '../../support/state-resource';

const RULES = [
  { id: 'ipr_own', cidr: '10.0.0.0/8' },
  { id: 'ipr_dev', cidr: '10.1.0.0/16' },
  { id: 'ipr_free', cidr: '10.2.0.0/16' },
] as const;

const LISTED = { stdout: '[{"name":"prod","current":true},{"name":"acme/dev"}]' };
const dev = exportOf([managing('office', 'ipr_dev')]);

/** The stack prod, beside the stack dev, which is in the state that is given. */
const project = async (sibling = dev, own: readonly object[] = [managing('own', 'ipr_own')]) => {
  const answers: PulumiAnswers = {
    ...stackHolding(own),
    'stack ls': LISTED,
    'stack --show-name': { stdout: 'prod\n' },
    // Never its secrets: they may need a passphrase of their own.
    'stack export --stack acme/dev': sibling,
    'stack export --show-secrets --stack acme/dev': { exitCode: 255, stderr: 'error: passphrase' },
  };
  return new CommandLine(await serviceWith(...RULES)).withPulumi(answers);
};

const imported = (line: CommandLine): string[] =>
  (JSON.parse(line.read('adopted/adopted.import.json')) as { resources: { id: string }[] }).resources.map(
    ({ id }) => id,
  );

const hidden = { ...managing('set', 'x', 'IpPolicyRuleSet'), outputs: { ruleIdList: ENCRYPTED } };
const begun = { type: 'creating', resource: managing('one', '') };
const UNREADABLE = { exitCode: 255, stderr: 'error: no access' };

test('import leaves out what a sibling manages, and names it with its stack', async () => {
  const line = await project();
  expect(await line.run('import', '--all')).toMatchObject(
    printed(
      0,
      /Left out 1 object that the stack already manages\.\n\nLeft out 1 object that the stack acme\/dev manages\.\n\nStacks of other projects and backends are not seen/,
    ),
  );
  expect(imported(line)).toEqual(['ipr_free']);
});

test.each([
  ['cannot be read', UNREADABLE, /acme\/dev: .*no access.*--no-siblings if it manages none/s],
  ['keeps ids secret', exportOf([hidden]), /acme\/dev: it keeps the ids of set secret/],
  ['has pending operations', exportOf([], [begun]), /recover --stack acme\/dev" first/],
])('import stops if a sibling %s, unless siblings are passed over', async (_what, sibling, message) => {
  const line = await project(sibling);
  expect(await line.run('import', '--all')).toMatchObject(noted(3, message));
  expect(() => line.read('adopted/adopted.import.json')).toThrow('ENOENT');
  expect(await line.run('import', '--all', '--no-siblings')).toMatchObject({ exitCode: 0 });
  expect(imported(line)).toEqual(['ipr_dev', 'ipr_free']);
});

test('list --unmanaged has only what no stack of the project manages', async () => {
  const { exitCode, json } = await (await project()).run('list', '--unmanaged', '--json');
  expect(exitCode).toBe(1);
  expect(json).toMatchObject({
    stacks: ['prod', 'acme/dev'],
    policies: [{ id: policyId, rules: [{ id: 'ipr_free' }] }],
  });
  const listed = await (await project()).run('list');
  expect(listed.stdout).toContain('2 managed by stack prod, acme/dev');
  expect(listed.stdout).toContain('Stacks of other projects and backends are not seen.');
});

test('list names a sibling that cannot be read, and --unmanaged does not answer then', async () => {
  const line = await project(UNREADABLE);
  expect(await line.run('list')).toMatchObject(noted(0, /cannot be read.*\n {2}acme\/dev: /));
  expect(await line.run('list', '--unmanaged')).toMatchObject(noted(3, /acme\/dev: .*--no-siblings/s));
  expect(await line.run('list', '--unmanaged', '--no-siblings')).toMatchObject(printed(1, 'ipr_dev'));
});

const declared = { ...resource('IpPolicyRule', 'own', { ipPolicyId: policyId }), id: 'ipr_own' };

test('the table of the page names the stack, and not "by hand"', async () => {
  const line = await project(dev, [declared]);
  expect(await line.run('page', '--live', '--csv', 'evidence.csv')).toMatchObject({ exitCode: 0 });
  const rows = line.read('evidence.csv').split('\r\n');
  expect(rows.find((row) => row.includes('10.1.0.0/16'))).toContain(
    ',office by stack acme/dev (index.ts:1),',
  );
  expect(rows.find((row) => row.includes('10.2.0.0/16'))).toContain(',by hand,');
});

test('drift reports the rules of no stack, and counts those of a sibling beside that', async () => {
  const outputs = { ipPolicyId: policyId, cidr: '10.0.0.0/8', action: 'allow' };
  const line = await project(dev, [{ ...declared, inputs: outputs, outputs }]);
  const { json, stderr } = await line.run('drift', '--json');
  const { findings } = json as { findings: { id: string; reason: string }[] };
  const found = findings.filter(({ id }) => id === 'rule-unmanaged').map(({ reason }) => reason);
  expect(found).toEqual([expect.stringContaining('10.2.0.0/16')]);
  expect(stderr).toBe('Not reported: 1 rule by stack acme/dev of this project.\n');
});
