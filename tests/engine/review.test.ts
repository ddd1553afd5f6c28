import { readFileSync, writeFileSync } from 'node:fs';
import type { Emulator } from '../../emulator/src/index';
import { edgePolicy } from '../support/edge-policy-cli';
import { expectGolden, goldenFiles } from '../support/golden';
import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import type { CallOptions } from '../support/stack-options';
import { officeProgram, rule, type Statements } from './review/office';
import {
  exportInto,
  inProject,
  previewInto,
  previewOf,
  reviewedScenario,
  reviewIn,
  startOffice,
} from './review/office-stack';
import { scenarios } from './review/scenarios';

let stack: PulumiStack;
let emulator: Emulator;

beforeAll(async () => {
  ({ stack, emulator } = await startOffice());
});

const preview = (change: Statements, options?: CallOptions) => previewOf(stack, change, options);
const review = (args: readonly string[] = [], of = stack) => reviewIn(of, args);

test.each(scenarios)('$golden: $fact', async (scenario) => {
  const reviewed = await reviewedScenario(stack, scenario);
  expectGolden(`${scenario.golden}.md`, reviewed.output);
  expect(reviewed.exitCode).toBe(scenario.exitCode);
});

test('a preview that failed is not decidable, whatever it shows', async () => {
  await preview({ branch: rule('branch', '9.9.9.0/33') }, { expect: 'failure' });
  const { output, exitCode } = await review(['--fail-on', 'never']);
  expectGolden('failed-preview.md', output);
  expect(exitCode).toBe(2);
});

test('--state holds the preview to what the stack says was there before', async () => {
  await exportInto(stack);
  await preview({ branch: rule('branch', '9.9.0.0/16'), access: "new AccessAssertions('access', {});" });
  const plain = await review(['--fail-on', 'critical']);
  expect(await review(['--fail-on', 'critical', '--state', 'state.json'])).toEqual(plain);
  expect(plain.exitCode).toBe(0);
  const told = readFileSync(inProject(stack, 'preview.json'), 'utf8');
  const isOld = /("oldState": \{[^]*?"cidr": ")8\.8\.8\.0\/24/;
  expect(told).toMatch(isOld);
  writeFileSync(inProject(stack, 'preview.json'), told.replace(isOld, '$10.0.0.0/0'));
  const lying = await review(['--fail-on', 'never', '--state', 'state.json']);
  expect(lying.exitCode).toBe(2);
  expect(lying.output).toContain('disagree about the previous state of');
});

test('a provider of the program that is called like the engine’s own has no step, and does not count as the stack’s own', async () => {
  const args = literal({ apiKey: 'another', baseUrl: 'https://evil.example' });
  const inputs = literal({
    ipPolicyId: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGz',
    cidr: '9.9.9.0/24',
    action: 'deny',
  });
  await preview({
    hidden: `new IpPolicyRule('hidden', ${inputs}, { provider: new (require('pulumi-edge-policy').Provider)('default_1_2_3', ${args}) });`,
  });
  expect(readFileSync(inProject(stack, 'preview.json'), 'utf8')).not.toContain('evil.example');
  await exportInto(stack);
  for (const args of [[], ['--state', 'state.json']]) {
    const { output, exitCode } = await review(args);
    expect(output).toContain('1 resource would go to `default_1_2_3`, whose settings no preview shows');
    expect(exitCode).toBe(1);
  }
});

test('a preview that hides unchanged resources is not decidable', async () => {
  await preview({ branch: rule('branch', '9.9.0.0/16') }, { args: ['--show-sames=false'] });
  const { output, exitCode } = await review();
  expectGolden('without-show-sames.md', output);
  expect(exitCode).toBe(2);
});

test('assertions of a program that keeps the inputs of components to itself are not decidable', async () => {
  const env = { PULUMI_NODEJS_SKIP_COMPONENT_INPUTS: 'true' };
  await preview({ access: "new AccessAssertions('access', {});" }, { env });
  const { output, exitCode } = await review();
  expectGolden('assertions-hidden.md', output);
  expect(exitCode).toBe(2);
});

test('the first up of a stack is a change from nothing', async () => {
  const { stack: empty } = await stackOnService({ program: officeProgram() });
  await previewInto(empty);
  const { output, exitCode } = await review([], empty);
  expectGolden('first-up.md', output);
  expect(exitCode).toBe(1);
});

test('--live counts the rules that are on the service and not in the stack', async () => {
  const outside = emulator.remote.createRule({
    id: 'ipr_2ZnV5Rw8XhTq4LmKb7CyJd1Fout',
    cidr: '9.9.0.0/16',
    ip_policy_id: policyId,
    action: 'allow',
  });
  await preview({ branch: undefined, guests: undefined });
  const { output, exitCode } = await review(['--live']);
  emulator.remote.deleteRule(outside.id);
  expectGolden('live.md', output);
  expect(exitCode).toBe(0);
});

test('one change in every format, and the command of the package makes the preview itself and prints the same bytes', async () => {
  await preview(scenarios.find(({ golden }) => golden === 'widened')?.change ?? {});
  await review(['--write=json=widened.json', '--write=text=widened.txt']);
  for (const file of ['widened.json', 'widened.txt'])
    expectGolden(file, readFileSync(inProject(stack, file), 'utf8'));
  const args = ['--fail-on', 'medium', '--format', 'markdown'];
  const run = await edgePolicy(stack, ['review', '--stack', 'dev', ...args]);
  const withoutHash = (text: string) => text.replace(/Reviewed plan `\w+/g, 'Reviewed plan `');
  const { exitCode, output } = await review(args);
  expect([run.exitCode, withoutHash(run.stdout)]).toEqual([exitCode, withoutHash(output)]);
});

test('--accept and --expect: exactly the change as another person has seen it passes, and not one in which only a text is another', async () => {
  const told = (metadata: string) =>
    rule('branch', '9.8.0.0/15').replace('});', `, metadata: ${literal(metadata)} });`);
  await preview({ branch: told('{"owner":"it"}') });
  const stopped = await review(['--write', 'plan=plan.json']);
  const [, hash = ''] = /--accept `(\w{64})`/.exec(stopped.output) ?? [];
  const judged = async (...args: string[]) => (await review(args)).exitCode;
  expect(stopped.exitCode).toBe(1);
  expect([await judged('--accept', hash), await judged('--expect', 'plan.json')]).toEqual([0, 0]);
  await preview({ branch: told('{"owner":"someone else"}') });
  expect(await judged('--accept', hash)).toBe(1);
  const { exitCode, output } = await review(['--expect', 'plan.json']);
  expect(output).toContain('`branch` would end up with other texts, or in another form: `allow 9.8.0.0/15`');
  expect(exitCode).toBe(1);
});

test('a stack without anything of the provider affects no access', async () => {
  const { stack: other } = await stackOnService({ program: program('return {};') });
  await previewInto(other);
  const { output, exitCode } = await review([], other);
  expectGolden('other-resources.md', output);
  expect(exitCode).toBe(0);
});

test('every golden file belongs to a test', () => {
  const tests = [
    'assertions-hidden',
    'failed-preview',
    'first-up',
    'live',
    'other-resources',
    'without-show-sames',
  ];
  const reports = [...scenarios.map(({ golden }) => golden), ...tests].map((name) => `${name}.md`);
  const others = ['widened.json', 'widened.txt'];
  expect(goldenFiles()).toEqual([...reports, ...others].sort());
});
