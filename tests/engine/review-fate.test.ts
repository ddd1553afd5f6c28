// What a review says of a run, against what the service holds after it: recorded from the real CLI, for programs that nobody
// has thought of.
import type { Emulator } from '../../emulator/src/index';
import type { Host } from '../../provider/src/resources/provider-reference';
import { readPreviewDocument } from '../../review/src';
import { allModules } from '../../review/src/model/read-modules';
import { resourceChanges } from '../../review/src/model/resource-change';
import { type StackChange, stackChangeOf } from '../../review/src/model/snapshot';
import type { Snapshot } from '../../review/src/model/declarations';
import { Dice } from '../support/dice';
import { program as programText } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { startService, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { readStackState, stateGaps } from '../../review/src/preview/stack-state';
import { edited, newProgram, type Part, statementsOf } from './review/stack-life';

/** The calls of the CLI that make a document, and those that do what it says. */
const RUNS = {
  up: { document: ['preview'], args: [], run: 'up' },
  'up --refresh': { document: ['preview', '--refresh'], args: ['--refresh'], run: 'up' },
  'up --target': { document: ['preview'], args: [], run: 'up' },
  destroy: { document: ['destroy', '--preview-only'], args: [], run: 'destroy' },
  'destroy --run-program': {
    document: ['destroy', '--preview-only', '--run-program'],
    args: ['--run-program'],
    run: 'destroy',
  },
} as const;

const KINDS = [
  ...(['up', 'up', 'up', 'up', 'up', 'up', 'up --refresh', 'up --refresh'] as const),
  ...(['up --target', 'up --target', 'destroy', 'destroy --run-program'] as const),
];

/** No state confirms what a refresh has found, nor that `--target` shows all leftovers of earlier runs. */
const NOT_OF_THE_STATE: ReadonlySet<string> = new Set<keyof typeof RUNS>(['up --refresh', 'up --target']);

/** A stack whose program is edited again and again, and whose service is edited by others and refuses requests at times. */
class Life {
  private program: readonly Part[];
  readonly seen = new Set<string>();
  decided = 0;
  /** Others have edited the service, and no refresh has seen it yet. */
  private isDrifted = false;

  constructor(
    private readonly stack: PulumiStack,
    private readonly emulator: Emulator,
    private readonly dice: Dice,
  ) {
    this.program = newProgram(dice);
  }

  async turn(): Promise<void> {
    const { dice, emulator, stack } = this;
    if (dice.isLucky(0.1)) this.program = newProgram(dice);
    if (!this.isDrifted && dice.isLucky(0.2)) await this.failingRun();
    const isEmpty = ownResources(await stack.state()).length === 0;
    const kind = this.isDrifted ? 'up --refresh' : isEmpty ? 'up' : dice.pick(KINDS);
    if (kind === 'up --refresh') this.remoteEdit();
    await this.write();
    const { document, args, run } = RUNS[kind];
    const targets = kind === 'up --target' ? await this.targets() : [];
    const { stdout } = await stack.call([...document, '--json', '--show-sames', '--show-replacement-steps'], {
      args: targets,
      expect: 'either',
    });
    const [before, held] = [liveIn(emulator), await stack.state()];
    const result = await stack[run]({ args: [...args, ...targets], expect: 'either' });
    this.isDrifted &&= !result.isSuccess;
    const preview = readPreviewDocument(stdout);
    for (const { op } of preview.steps) this.seen.add(op);
    // A preview that is not decidable says nothing that could be wrong.
    if (preview.gaps.length > 0) return;
    this.decided += 1;
    if (result.isSuccess)
      expectAsSaid(stackChangeOf(resourceChanges(preview.steps)), before, liveIn(emulator));
    if (NOT_OF_THE_STATE.has(kind)) return;
    expect(stateGaps(preview.steps, readStackState(JSON.stringify({ deployment: held })))).toEqual([]);
  }

  private async write(): Promise<void> {
    this.program = edited(this.program, this.dice);
    const own = ownResources(await this.stack.state());
    const idOf = (name: string) =>
      own.find((each) => each.urn.endsWith(`::${name}`) && !('delete' in each))?.id;
    this.stack.writeProgram(programText(statementsOf(this.program, idOf)));
  }

  /** A run that is refused on its way. */
  private async failingRun(): Promise<void> {
    const fault = this.emulator.fault({
      method: this.dice.pick(['DELETE', 'POST', 'PUT']),
      kind: 'status',
      status: 403,
      times: 'always',
    });
    await this.write();
    await this.stack.up({ expect: 'either' });
    fault.remove();
  }

  private remoteEdit(): void {
    const rule = this.dice.maybe(this.emulator.state().rules);
    if (!rule) return;
    this.isDrifted = true;
    if (this.dice.isLucky(0.5)) this.emulator.remote.deleteRule(rule.id);
    else this.emulator.remote.updateRule(rule.id, { cidr: '192.0.2.0/24' });
  }

  private async targets(): Promise<string[]> {
    const urns = ownResources(await this.stack.state()).map(({ urn }) => urn);
    const some = [...new Set(urns)].filter(() => this.dice.isLucky(0.5));
    return (some.length > 0 ? some : ['**']).flatMap((urn) => ['--target', urn]);
  }
}

/** Everything that is live, one text for each object. */
function liveIn(emulator: Emulator): string[] {
  const { rules, tcpModules } = emulator.state();
  return [
    ...rules.map(({ cidr, action }) => `${action} ${cidr}`),
    ...Object.entries(tcpModules).map(([edge, module]) => `edge ${edge} ${nameIn(JSON.stringify(module))}`),
  ].sort();
}

const nameIn = (text: string): string => /"name\W+([a-e]\d)/.exec(text)?.[1] ?? '';

const textOf = (known: { readonly isKnown: boolean; readonly value?: unknown }): string =>
  known.isKnown ? String(known.value) : UNKNOWN;

const saidIn = (snapshot: Snapshot): string[] => [
  ...snapshot.rules.all.map(({ policyId, action, cidr }) =>
    policyId.isKnown && cidr.isKnown ? `${textOf(action)} ${cidr.value.text}` : UNKNOWN,
  ),
  ...allModules(snapshot).map(
    ({ subject, values }) =>
      `edge ${textOf(subject)} ${nameIn(textOf(values['value'] ?? { isKnown: false }))}`,
  ),
];

/** What the stack had goes from what was live, and what it leaves comes to it. */
function expectAsSaid(said: StackChange, before: readonly string[], after: readonly string[]): void {
  const others = without(before, saidIn(said.before));
  const claimed = [...others, ...saidIn(said.after)];
  const [modules, rules] = [claimed.filter(isModule), claimed.filter((text) => !isModule(text))];
  const known = rules.filter((text) => !text.includes(UNKNOWN));
  // What is unknown may turn out as it was, and then nothing is replaced.
  const left = without(
    after.filter((text) => !isModule(text)),
    known,
  );
  expect(left.length).toBeLessThanOrEqual(rules.length - known.length);
  if (modules.some((text) => text.includes(UNKNOWN))) return;
  // A module is overwritten by its successor at the same place; which of two that the stack makes there wins is not said.
  const places = (texts: readonly string[]) =>
    new Set(texts.filter(isModule).map((text) => text.split(' ')[1]));
  expect(places(after)).toEqual(places(claimed));
  expect(claimed).toEqual(expect.arrayContaining(after.filter(isModule)));
}

const UNKNOWN = '?';

const isModule = (text: string): boolean => text.startsWith('edge ');

/** The texts without these, each of which must be among them. */
function without(texts: readonly string[], removed: readonly string[]): string[] {
  const left = [...texts];
  for (const text of removed) {
    expect(left).toContain(text);
    left.splice(left.indexOf(text), 1);
  }
  return left;
}

const TURNS = 12;

test.each<[Host, number]>([
  ['dynamic', 41],
  ['native', 42],
])('%s: what the service holds after a run is what the review has said of it', async (host, seed) => {
  const service = await startService({ switches: { duplicateCidr: 'accepted' } });
  const { stack, emulator } = await stackOnService({ program: programText('return {};'), host }, service);
  const life = new Life(stack, emulator, new Dice(seed));
  for (let turn = 0; turn < TURNS; turn += 1) await life.turn();
  expect(life.decided).toBeGreaterThan(TURNS / 2);
  expect([...life.seen]).toEqual(expect.arrayContaining(['same', 'create', 'delete', 'replace']));
});
