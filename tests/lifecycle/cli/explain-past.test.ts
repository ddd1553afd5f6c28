// Answers from states of the past: a file, or the history of a local backend.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../../provider/src/api/clock';
import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { resource as placed } from '../../support/state-resource';
import { denyIf, edgeInputs, rule, within } from '../../unit/review/inputs';

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

/** A state of the first second, as the file that each test gives. */
const then = (resources: readonly object[], pending: readonly object[] = []): string =>
  exported(at(0), resources, pending);

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
  /** The answer by a file, whose text this is. */
  const answer = (text: string, ...more: string[]) =>
    explain(lineWith({ 'then.json': text }), '--state', 'then.json', '--stack', stack, ...more);

  test.each([
    ['an exported state', then([office, partner]), 'let in'],
    ['a checkpoint', checkpoint(at(0), [office]), 'kept out'],
  ])('%s', async (_, text, said) => {
    const result = await answer(text);
    expect(result).toMatchObject(printed(0, said));
    expect(result.stderr).toBe(`As recorded at ${at(0)}, not proved live.\n`);
    expect((await answer(text, '--json')).json).toMatchObject({ recordedAt: at(0) });
  });

  const ofOther = (resource: typeof office) => ({ ...resource, urn: resource.urn.replace(stack, 'other') });
  test.each<[string, string, RegExp]>([
    ['no state', '[1]', /is no state: give what "pulumi stack export" wrote/],
    ['no JSON', 'x', /is no state/],
    ['an empty state', then([]), /holds no resource, so nothing in it shows of which stack it is/],
    ['a state of another stack', then([ofOther(office)]), /is a state of the stack other of the project/],
    ['states of two stacks', then([office, ofOther(partner)]), /is a state of the stack/],
  ])('refused: %s', async (_, text, why) => {
    expect(await answer(text)).toMatchObject({ ...noted(3, why), stdout: '' });
  });

  test('a missing file, and more than one source, are refused', async () => {
    expect((await explain(lineWith(), '--state', 'none.json')).stderr).toContain('cannot be read (ENOENT)');
    const both = await explain(lineWith(), '--state', 'then.json', '--live');
    expect(both).toMatchObject(noted(3, '--live or --state'));
  });

  /** A resource whose last write had no answer: its outputs, and the inputs that were sent. */
  const unsettled = <T extends object>(of: T, unsettledInputs: object, outputs: object = {}) => ({
    ...{ ...of, outputs: { ...outputs, unsettledSince: at(0), unsettledInputs } },
  });
  const moved = (cidr: string, to: object) => unsettled(allow('office', cidr), to, { cidr });
  const lost = '"office" may have differed from the state: an answer of the service was lost.';
  const begun = (type: string, resource: object) => [{ type, resource }];
  const wide = rule('198.51.0.0/16', 'allow', policyId);
  const narrow = rule('203.0.113.0/24', 'allow', policyId);
  const isMoved = checkpoint(at(0), [office], begun('updating', { ...office, inputs: wide }));
  const isDeleted = then([office, partner], begun('deleting', partner));
  const isCreated = then([office], begun('creating', partner));
  const isOther = then([office], begun('deleting', office));
  const isRefused = then([{ ...office, initErrors: ['refused'], outputs: wide }]);
  const deleting = 'while deleting "partner": it may have been carried out';
  const open = 'not decided';

  test.each<[string, said: string, noted: string, text: string]>([
    ['a rule that was moved to the address, perhaps', open, lost, then([moved('203.0.113.0/24', wide)])],
    ['a rule whose outputs alone have the address', open, lost, then([unsettled(office, narrow, wide)])],
    ['a delete of the rule that lets it in', open, deleting, isDeleted],
    ['a delete of another rule', 'kept out', 'while deleting "office"', isOther],
    ['a create of a rule that lets it in', open, 'while creating "partner"', isCreated],
    ['an update that moved the rule to it', open, 'while updating "office"', isMoved],
    ['a write that failed for certain: as the outputs have it', 'let in', 'As recorded', isRefused],
  ])('%s', async (_, said, remark, text) => {
    const exitCode = said === open ? 2 : 0;
    expect(await answer(text)).toMatchObject({ ...printed(exitCode, said), ...noted(exitCode, remark) });
  });

  const edge = placed('TcpEdgeTrafficPolicyModule', 'edge', edgeInputs(denyIf(within('198.51.100.0/24'))));
  test.each<[string, string]>([
    ['a delete of its module, perhaps', then([edge], begun('deleting', edge))],
    ['a create of its module, perhaps', then([office], begun('creating', edge))],
  ])('an edge is not decided: %s', async (_, text) => {
    const line = lineWith({ 'then.json': text });
    const result = await line.run('explain', asked, '--state', 'then.json', '--stack', stack);
    expect(result).toMatchObject(printed(2, open));
  });

  test('what an option keeps secret stays so in what was sent', async () => {
    const secret = { ...moved('203.0.113.0/24', wide), additionalSecretOutputs: ['cidr'] };
    const line = lineWith({ 'then.json': then([secret]) });
    const { exitCode, stdout } = await explain(line, '--state', 'then.json', '--stack', stack);
    expect(exitCode).toBe(2);
    expect(stdout).not.toContain('198.51.0.0');
    await line.run('page', '--state', 'then.json', '--stack', stack, '--out', 'page.html');
    expect(line.read('page.html')).not.toContain('198.51.0.0');
  });
});

test('a page of the past: rules that have ended since count, and so do its doubts', async () => {
  const until = '2999-01-01T00:00:00Z';
  const rules = readDeclaration([{ cidr: '198.51.100.0/24', action: 'allow', until }]).value;
  const ended = placed('IpPolicyRuleSet', 'vendors', { ipPolicyId: policyId, exclusive: false, rules });
  const sent = rule('8.8.8.0/24', 'allow', policyId);
  const doubtful = { ...office, outputs: { ...office.inputs, unsettledSince: at(0), unsettledInputs: sent } };
  const line = lineWith({ 'then.json': then([ended, doubtful]) });
  line.engine = { clock: { ...systemClock, epochMs: () => Date.parse('3000-01-01') } };
  const result = await line.run('page', '--state', 'then.json', '--stack', stack, '--csv', 'rules.csv');
  expect(result).toMatchObject(printed(0, 'by 3 rules'));
  const csv = line.read('rules.csv');
  expect(csv).not.toContain('2999');
  for (const network of ['198.51.100.0/24', '203.0.113.0/24', '8.8.8.0/24']) expect(csv).toContain(network);
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
    ['while the second was under way', at(31), 2, 'kept out', `between ${at(30)} and ${at(34)}: a run was`],
    ['after the second, before one that is not recorded', at(40), 2, 'let in', 'a run that is not recorded'],
    ['after the last one', '2031-01-01T00:00Z', 0, 'let in', 'As recorded at 2030-01-01'],
  ])('%s', async (_, time, exitCode, said, remark) => {
    expect(await atTime(time)).toMatchObject({ ...printed(exitCode, said), ...noted(exitCode, remark) });
  });

  test('an object of the second run that is older than it shows a run between', async () => {
    const result = await atTime(at(20), [office, allow('partner', '198.51.100.0/24', { created: at(25) })]);
    expect(result).toMatchObject(noted(2, `Not known between ${at(13)} and ${at(30)}`));
  });

  test.each([
    ['a time before the first run', at(5), /No run is recorded in .* that had ended by/],
    ['a time without its zone', '2026-03-14T02:00', /needs a time with its zone, such as 2026-03-14T02:00Z/],
  ])('refused: %s', async (_, time, why) => {
    expect(await atTime(time)).toMatchObject(noted(3, why));
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
      const line = lineWith().withPulumi({
        ...stackHolding([office, partner]),
        whoami: { stdout: '{"url":"https://app.pulumi.com/me"}' },
        'stack history --json --page-size 0': { stdout: JSON.stringify(printed) },
        'stack export --version 1 ': { stdout: exported(at(12), [office]) },
        'stack export --version 2 ': { stdout: exported(at(33), [office, partner]) },
      });
      return explain(line, '--at', time, '--stack', stack);
    };

    test.each<[string, string, number, string, string]>([
      ['after the first run', at(20), 0, 'kept out', `As recorded at ${at(12)}`],
      ['while the second run was under way', at(31), 2, 'kept out', `between ${at(30)} and ${at(34)}`],
      ['after the second run, whatever was previewed since', at(45), 0, 'let in', `before ${at(50)}`],
      ['after the begin of a run that has not ended', at(55), 2, 'let in', `Not known since ${at(50)}`],
    ])('%s', async (_, time, exitCode, said, remark) => {
      expect(await hosted(time)).toMatchObject({ ...printed(exitCode, said), ...noted(exitCode, remark) });
    });

    test.each<[string, string, readonly object[], string]>([
      ['a time before the first run', at(5), runs, 'that had ended by'],
      ['a stack without a run', at(20), [], 'No run of the stack'],
    ])('refused: %s', async (_, time, runsOfStack, why) => {
      expect(await hosted(time, runsOfStack)).toMatchObject(noted(3, why));
    });
  });
});
