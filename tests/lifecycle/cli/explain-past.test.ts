// Answers from states of the past: a file, or the history of a local backend.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../provider/src/api/clock';
import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { CommandLine, stackHolding } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { ENCRYPTED, resource as placed } from '../../support/state-resource';
import { denyIf, edgeInputs, rule, within } from '../../unit/review/preview-builder';

const at = (second: number): string => new Date(Date.UTC(2026, 2, 14, 2, 0, second)).toISOString();
const seconds = (text: string): number => Date.parse(text) / 1000;

const allow = (name: string, cidr: string, more: object = {}) => ({
  ...placed('IpPolicyRule', name, rule(cidr, 'allow', policyId)),
  ...more,
});
const office = allow('office', '203.0.113.0/24');
const partner = allow('partner', '198.51.100.0/24');

const deployment = (time: string, resources: readonly object[], pending: readonly object[] = []) => ({
  manifest: { time },
  resources,
  pending_operations: pending,
});
const exported = (...of: Parameters<typeof deployment>): string =>
  JSON.stringify({ version: 3, deployment: deployment(...of) });
const checkpoint = (...of: Parameters<typeof deployment>): string =>
  JSON.stringify({
    version: 3,
    checkpoint: { stack: 'organization/project/dev', latest: deployment(...of) },
  });

const asked = '198.51.100.7';
const explain = (line: CommandLine, ...args: string[]) =>
  line.run('explain', asked, '--policy', policyId, ...args);

/** A stack that holds both rules now. */
function lineWith(files: Readonly<Record<string, string>> = {}): CommandLine {
  const line = new CommandLine();
  const url = pathToFileURL(line.folder).href;
  line.withPulumi({ ...stackHolding([office, partner]), whoami: { stdout: JSON.stringify({ url }) } });
  for (const [name, text] of Object.entries(files)) line.write(name, text);
  return line;
}
const stack = office.urn.split('::')[0]?.replace('urn:pulumi:', '') ?? '';

describe('--state', () => {
  test.each([
    ['an exported state', exported(at(0), [office, partner]), 'let in'],
    ['a checkpoint', checkpoint(at(0), [office]), 'kept out'],
  ])('%s', async (_, text, said) => {
    const line = lineWith({ 'then.json': text });
    const { exitCode, stdout, stderr } = await explain(line, '--state', 'then.json', '--stack', stack);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining(said) as string });
    expect(stderr).toBe(`As recorded at ${at(0)}, not proved live.\n`);
    const json = await explain(line, '--state', 'then.json', '--stack', stack, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ recordedAt: at(0) });
  });

  test.each<[string, string, RegExp]>([
    ['no state', '[1]', /is no state: give what "pulumi stack export" wrote/],
    ['no JSON', 'x', /is no state/],
    ['an empty state', exported(at(0), []), /holds no resource, so nothing in it shows of which stack it is/],
    [
      'a state of another stack',
      exported(at(0), [{ ...office, urn: office.urn.replace(stack, 'other') }]),
      /is a state of the stack other of the project/,
    ],
    [
      'states of two stacks',
      exported(at(0), [office, { ...partner, urn: partner.urn.replace(stack, 'other') }]),
      /is a state of the stack/,
    ],
  ])('refused: %s', async (_, text, why) => {
    const result = await explain(lineWith({ 'then.json': text }), '--state', 'then.json', '--stack', stack);
    expect(result).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringMatching(why) as string });
  });

  test('a missing file, and more than one source, are refused', async () => {
    expect((await explain(lineWith(), '--state', 'none.json')).stderr).toContain('cannot be read (ENOENT)');
    const both = await explain(lineWith(), '--state', 'then.json', '--live');
    expect(both).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('--live or --state') as string,
    });
  });

  const unsettled = (cidr: string, unsettledInputs: object) =>
    allow('office', cidr, { outputs: { cidr, unsettledSince: at(0), unsettledInputs } });
  const set = (name: string, ...cidrs: string[]) => {
    const { value } = readDeclaration(cidrs.map((cidr) => ({ cidr, action: 'allow' })));
    return placed('IpPolicyRuleSet', name, { ipPolicyId: policyId, exclusive: false, rules: value });
  };
  const lost = '"office" may have differed from the state: an answer of the service was lost.';
  const begun = (type: string, resource: object) => [{ type, resource }];
  const wide = rule('198.51.0.0/16', 'allow', policyId);

  test.each<[string, number, string, string, string]>([
    [
      'a rule that was moved to the address, perhaps',
      2,
      'not decided',
      lost,
      exported(at(0), [unsettled('203.0.113.0/24', wide)]),
    ],
    [
      'a rule whose old network and new network have the address',
      0,
      'let in',
      lost,
      exported(at(0), [unsettled('198.51.100.0/24', wide)]),
    ],
    [
      'a rule whose outputs, not whose inputs, have the address',
      2,
      'not decided',
      lost,
      exported(at(0), [
        allow('office', '203.0.113.0/24', {
          outputs: {
            ...wide,
            unsettledSince: at(0),
            unsettledInputs: rule('203.0.113.0/24', 'allow', policyId),
          },
        }),
      ]),
    ],
    [
      'a rule of which is hidden what was sent',
      2,
      'not decided',
      lost,
      exported(at(0), [
        allow('office', '203.0.113.0/24', { outputs: { unsettledSince: at(0), unsettledInputs: ENCRYPTED } }),
      ]),
    ],
    [
      'a set that lost a network, perhaps',
      2,
      'not decided',
      lost,
      exported(at(0), [
        {
          ...set('office', '203.0.113.0/24', '198.51.100.0/24'),
          outputs: { unsettledSince: at(0), unsettledInputs: set('office', '203.0.113.0/24').inputs },
        },
      ]),
    ],
    [
      'a delete of the rule that lets it in',
      2,
      'not decided',
      'while deleting "partner": it may have been carried out',
      exported(at(0), [office, partner], begun('deleting', partner)),
    ],
    [
      'a delete of another rule',
      0,
      'kept out',
      'while deleting "office"',
      exported(at(0), [office], begun('deleting', office)),
    ],
    [
      'a create of a rule that lets it in',
      2,
      'not decided',
      'while creating "partner"',
      exported(at(0), [office], begun('creating', partner)),
    ],
    [
      'an update that moved the rule to it',
      2,
      'not decided',
      'while updating "office"',
      checkpoint(at(0), [office], begun('updating', { ...office, inputs: wide })),
    ],
    [
      'a write that failed for certain: as the outputs have it',
      0,
      'let in',
      'As recorded',
      exported(at(0), [{ ...office, initErrors: ['refused'], outputs: wide }]),
    ],
  ])('%s', async (_, exitCode, said, noted, text) => {
    const result = await explain(lineWith({ 'then.json': text }), '--state', 'then.json', '--stack', stack);
    expect(result).toMatchObject({
      exitCode,
      stdout: expect.stringContaining(said) as string,
      stderr: expect.stringContaining(noted) as string,
    });
  });

  const edge = placed('TcpEdgeTrafficPolicyModule', 'edge', edgeInputs(denyIf(within('198.51.100.0/24'))));
  test.each<[string, string]>([
    ['a delete of its module, perhaps', exported(at(0), [edge], begun('deleting', edge))],
    ['a create of its module, perhaps', exported(at(0), [office], begun('creating', edge))],
    [
      'its module may deny nobody',
      exported(at(0), [{ ...edge, outputs: { unsettledSince: at(0), unsettledInputs: edgeInputs() } }]),
    ],
  ])('an edge is not decided: %s', async (_, text) => {
    const line = lineWith({ 'then.json': text });
    const result = await line.run('explain', asked, '--state', 'then.json', '--stack', stack);
    expect(result).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('not decided') as string });
  });

  test('what an option keeps secret stays so in what was sent', async () => {
    const secret = { ...unsettled('203.0.113.0/24', wide), additionalSecretOutputs: ['cidr'] };
    const line = lineWith({ 'then.json': exported(at(0), [secret]) });
    const result = await explain(line, '--state', 'then.json', '--stack', stack);
    expect(result).toMatchObject({
      exitCode: 2,
      stdout: expect.not.stringContaining('198.51.0.0') as string,
    });
    await line.run('page', '--state', 'then.json', '--stack', stack, '--out', 'page.html');
    expect(line.read('page.html')).not.toContain('198.51.0.0');
  });

  test('a page counts both, too', async () => {
    const line = lineWith({ 'then.json': exported(at(0), [unsettled('203.0.113.0/24', wide)]) });
    await line.run('page', '--state', 'then.json', '--stack', stack, '--csv', 'rules.csv');
    expect(line.read('rules.csv')).toMatch(
      /203\.0\.113\.0\/24[^]*198\.51\.0\.0\/16|198\.51\.0\.0\/16[^]*203\.0\.113\.0\/24/,
    );
  });
});

test('a page of the past: rules that have ended since count, and so do its doubts', async () => {
  const until = '2999-01-01T00:00:00Z';
  const rules = readDeclaration([{ cidr: '198.51.100.0/24', action: 'allow', until }]).value;
  const ended = placed('IpPolicyRuleSet', 'vendors', { ipPolicyId: policyId, exclusive: false, rules });
  const line = lineWith({ 'then.json': exported(at(0), [ended]) });
  line.engine = { clock: { ...systemClock, epochMs: () => Date.parse('3000-01-01') } };
  const result = await line.run('page', '--state', 'then.json', '--stack', stack, '--csv', 'rules.csv');
  expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('by 1 rules') as string });
  expect(line.read('rules.csv')).not.toContain('2999');
  expect(line.read('rules.csv')).toContain('198.51.100.0/24');
  expect((await line.run('page', '--state', 'then.json', '--live')).exitCode).toBe(3);
});

describe('--at', () => {
  const project = 'project';
  /** Two runs, the second of which failed, and a state of now that a third left. */
  const history = (second: readonly object[]): Record<string, string> => {
    const folder = path.join('.pulumi', 'history', project, stack);
    const run = (name: string, [start, end]: [string, string], resources: readonly object[]) => ({
      [path.join(folder, `${name}.history.json`)]: JSON.stringify({
        ...{ kind: 'update', result: 'failed', startTime: seconds(start), endTime: seconds(end) },
      }),
      [path.join(folder, `${name}.checkpoint.json`)]: checkpoint(end, resources),
    });
    return { ...run('a', [at(10), at(12)], [office]), ...run('b', [at(30), at(33)], second) };
  };
  const atTime = (time: string, second: readonly object[] = [office, partner]) => {
    const line = lineWith(history(second));
    return explain(line, '--at', time, '--stack', stack);
  };

  test.each<[string, string, number, string, string]>([
    ['after the first run', at(20), 0, 'kept out', `killed, or an import, before ${at(30)}`],
    [
      'while the second run was under way',
      at(31),
      2,
      'kept out',
      `between ${at(30)} and ${at(34)}: a run was`,
    ],
    [
      'after the second run, before one that is not recorded',
      at(40),
      2,
      'let in',
      'a run that is not recorded',
    ],
    ['after the last one', '2031-01-01T00:00Z', 0, 'let in', 'As recorded at 2030-01-01'],
  ])('%s', async (_, time, exitCode, said, noted) => {
    expect(await atTime(time)).toMatchObject({
      exitCode,
      stdout: expect.stringContaining(said) as string,
      stderr: expect.stringContaining(noted) as string,
    });
  });

  test('an object of the second run that is older than it shows a run between', async () => {
    const result = await atTime(at(20), [office, allow('partner', '198.51.100.0/24', { created: at(25) })]);
    const noted = expect.stringContaining(`Not known between ${at(13)} and ${at(30)}`) as string;
    expect(result).toMatchObject({ exitCode: 2, stderr: noted });
  });

  test.each([
    ['a time before the first run', at(5), /No run is recorded in .* that had ended by/],
    ['a time without its zone', '2026-03-14T02:00', /needs a time with its zone, such as 2026-03-14T02:00Z/],
  ])('refused: %s', async (_, time, why) => {
    expect(await atTime(time)).toMatchObject({ exitCode: 3, stderr: expect.stringMatching(why) as string });
  });

  describe('on a backend that numbers its states', () => {
    const run = (version: number, start: string, end?: string, kind = 'update') => ({
      ...{ version, kind, startTime: start },
      ...(end !== undefined && { endTime: end, result: 'succeeded' }),
    });
    /** The newest run comes first, as the CLI prints it. */
    const runs = [
      run(4, at(50)),
      run(0, at(40), at(41), 'preview'),
      run(2, at(30), at(33)),
      run(1, at(10), at(12)),
    ];
    const hosted = (time: string, printed: readonly object[] = runs) => {
      const line = lineWith();
      const answers = {
        whoami: { stdout: '{"url":"https://app.pulumi.com/me"}' },
        'stack history --json --page-size 0': { stdout: JSON.stringify(printed) },
        'stack export --version 1 ': { stdout: exported(at(12), [office]) },
        'stack export --version 2 ': { stdout: exported(at(33), [office, partner]) },
      };
      line.withPulumi({ ...answers, ...stackHolding([office, partner]), ...answers });
      return explain(line, '--at', time, '--stack', stack);
    };

    test.each<[string, string, number, string, string]>([
      ['after the first run', at(20), 0, 'kept out', `As recorded at ${at(12)}`],
      ['while the second run was under way', at(31), 2, 'kept out', `between ${at(30)} and ${at(34)}`],
      ['after the second run, whatever was previewed since', at(45), 0, 'let in', `before ${at(50)}`],
      ['after the begin of a run that has not ended', at(55), 2, 'let in', `Not known since ${at(50)}`],
    ])('%s', async (_, time, exitCode, said, noted) => {
      expect(await hosted(time)).toMatchObject({
        exitCode,
        stdout: expect.stringContaining(said) as string,
        stderr: expect.stringContaining(noted) as string,
      });
    });

    test.each<[string, string, readonly object[], string]>([
      ['a time before the first run', at(5), runs, 'that had ended by'],
      ['a stack without a run', at(20), [], 'No run of the stack'],
    ])('refused: %s', async (_, time, printed, why) => {
      const result = await hosted(time, printed);
      expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(why) as string });
    });
  });
});
