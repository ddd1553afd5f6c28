// What a review says of a run, against what the service holds after it: recorded from the real CLI, for programs that nobody
// has thought of.
import type { Host } from '../../provider/src/resources/provider-reference';
import {
  placesToRead,
  type PreviewDocument,
  readPreviewDocument,
  type ReviewedResource,
} from '../../review/src';
import { covers } from '../../review/src/access/cidr-set';
import { known } from '../../review/src/model/known';
import { allModules } from '../../review/src/model/read-modules';
import { isLookedUp, resourceChanges } from '../../review/src/model/resource-change';
import { type Fate, fatesOf } from '../../review/src/preview/fate';
import type { PreviewStep } from '../../review/src/preview/preview-step';
import { type StackChange, stackChangeOf } from '../../review/src/model/snapshot';
import type { Snapshot } from '../../review/src/model/declarations';
import { Dice } from '../support/dice';
import { killAtFirst } from '../support/killed-run';
import { policyId, routeId, tcpEdgeId } from '../support/ids';
import { literal, program as programText } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { type Service, startService, stackOnService } from '../support/service-stack';
import { ownResources, type StackState as HeldState } from '../support/stack-state';
import { type StackState, stateGaps } from '../../review/src/preview/stack-state';
import { plain } from '../../review/src/text/escape';
import { cidrOf } from '../unit/review/pinned-feeds';
import { reviewed } from '../unit/review/reviewing';
import { changesIn, idsIn, policiesOf, previewed, programOf, stateOf } from './review/changes';
import { CASES, casesProgram } from './review/fate-cases';
import { type Held, modulesOf, rulesOf } from './review/live-objects';
import { edited, newProgram, type Part, PEACEFUL_EDITS, type Program, textOf } from './review/random-stack';
import { ADDRESSES, whoGetsIn } from './review/who-gets-in';

/**
 * Calls of the CLI. No state confirms what a refresh has found, nor that `--target` shows all leftovers of earlier runs, nor that
 * `destroy --run-program` deletes what the program only looks up, as it does.
 */
const RUNS = {
  up: { run: 'up', args: [], isOfState: true },
  'up --refresh': { run: 'up', args: ['--refresh'], isOfState: false },
  'up --target': { run: 'up', args: [], isOfState: false },
  refresh: { run: 'refresh', args: [], isOfState: false },
  destroy: { run: 'destroy', args: [], isOfState: true },
  'destroy --run-program': { run: 'destroy', args: ['--run-program'], isOfState: false },
} as const;

const KINDS = [
  ...(['up', 'up', 'up', 'up', 'up', 'up', 'up --refresh', 'up --refresh'] as const),
  ...(['up --target', 'up --target', 'refresh', 'destroy', 'destroy --run-program'] as const),
];

/**
 * A stack whose program is edited again and again, and whose service is edited by others, refuses requests at times, and at times
 * loses all answers for good; at times a run is killed.
 */
class Life {
  private program: Program;
  private stack: PulumiStack;
  readonly seen = new Set<string>();
  decided = 0;
  /** Why others were not decided. */
  readonly gaps: unknown[] = [];
  /** Others have edited the service, answers were lost, or a run was killed, and no refresh has seen it yet. */
  private isDrifted = false;

  constructor(
    first: PulumiStack,
    private readonly service: Service,
    private readonly dice: Dice,
    private readonly host: Host,
  ) {
    this.program = newProgram(dice);
    this.stack = first;
  }

  /** With --target and aliases, the engine writes states that it refuses to read: then another stack of the service goes on. */
  private async beginAgain(): Promise<void> {
    this.stack = await emptyStack(this.host, this.service);
    this.program = newProgram(this.dice);
    this.isDrifted = false;
  }

  async turn(): Promise<void> {
    const { dice, stack } = this;
    const { emulator } = this.service;
    const isProtected = this.program.some(({ options }) => 'protect' in options);
    if (!isProtected && dice.isLucky(0.1)) this.program = newProgram(dice);
    if (!this.isDrifted && dice.isLucky(0.3))
      await (dice.isLucky(0.3) ? this.killedRun() : this.failingRun());
    const isEmpty = ownResources(await stack.state()).length === 0;
    const kind = this.isDrifted ? dice.pick(DRIFTED) : isEmpty ? 'up' : dice.pick(KINDS);
    if (kind === 'up --refresh' || kind === 'refresh' || (kind === 'up' && dice.isLucky(0.3)))
      this.remoteEdit();
    // A run that does not read first begins from a state that is not what is live.
    const isBlind = this.isDrifted && kind === 'up';
    if (kind !== 'refresh') await this.write();
    const { run, args, isOfState } = RUNS[kind];
    const options = { args: [...args, ...(kind === 'up --target' ? await this.targets() : [])] };
    const dry = run === 'up' ? ['preview'] : [run, '--preview-only'];
    const { stdout, stderr } = await stack.call(
      [...dry, '--json', '--show-sames', '--show-replacement-steps'],
      { ...options, expect: 'either' },
    );
    if (stderr.includes('snapshot integrity error')) return this.beginAgain();
    const [before, held] = [emulator.state(), await stack.state()];
    const result = await stack[run]({ ...options, expect: 'either' });
    this.isDrifted &&= !result.isSuccess || isBlind;
    const preview = readPreviewDocument(stdout);
    for (const { op } of preview.steps) this.seen.add(op);
    // A preview that is not decidable says nothing that could be wrong.
    this.gaps.push(...preview.gaps);
    if (preview.gaps.length > 0) return;
    if (deletesAgain(preview.steps, held)) {
      if (isOfState) expect(stateGaps(preview.steps, stateOf(held))).not.toEqual([]);
      return;
    }
    this.decided += 1;
    if (result.isSuccess && kind === 'refresh') expectAsFound(preview, emulator.state());
    else if (result.isSuccess) {
      if (!isBlind) expectAsSaid(changeIn(preview), liveIn(before), liveIn(emulator.state()));
      expectAccess(preview, { before, after: emulator.state() }, isOfState ? stateOf(held) : undefined);
    }
    if (isOfState) expect(stateGaps(preview.steps, stateOf(held))).toEqual([]);
  }

  private async write(): Promise<void> {
    for (let edits = 2 + this.dice.below(4); edits > 0; edits -= 1)
      this.program = edited(this.program, PEACEFUL_EDITS, this.dice);
    const ids = idsIn(await this.stack.state());
    const { remote } = this.service.emulator;
    // An import of what the stack has already is none.
    const importOf = (part: Part) =>
      part.kind === 'one' && part.isImported && ids[`c0-${part.name}`] === undefined
        ? literal(remote.createRule(ruleOf(part)).id)
        : undefined;
    const text = textOf(this.program, { inputsOf, ...(this.host === 'native' && { importOf }) });
    const shared = `const ids = ${literal(ids)}; const own = new Provider('own');`;
    this.stack.writeProgram(programOf([text], shared));
  }

  /** A run that is refused on its way, or gets no answers, whether or not its requests are carried out. */
  private async failingRun(): Promise<void> {
    const { dice, service } = this;
    const fault = (of: RequestFault) => service.emulator.fault({ ...of, times: 'always' });
    const isLost = dice.isLucky(0.5);
    const method = dice.pick(['DELETE', 'POST', 'PUT']);
    const when = dice.pick(['before', 'after'] as const);
    await this.write();
    const faults = isLost
      ? [
          ...['PATCH', method].map((each) => fault({ method: each, kind: 'reset', when })),
          fault({ method: 'GET', kind: 'reset' }),
        ]
      : [fault({ method, kind: 'status', status: 403 })];
    await this.stack.up({ expect: 'either' });
    for (const each of faults) each.remove();
    this.isDrifted ||= isLost;
  }

  /** A run that is killed at a write, and leaves pending operations in the state. */
  private async killedRun(): Promise<void> {
    const { dice, stack } = this;
    await this.write();
    const method = dice.pick(['DELETE', 'POST', 'PATCH', 'PUT']);
    const when = dice.pick(['before', 'after'] as const);
    const isKilled = await killAtFirst({ stack, emulator: this.service.emulator }, { method, when });
    if (isKilled) await stack.cancel();
    this.isDrifted ||= isKilled;
  }

  private remoteEdit(): void {
    const { emulator } = this.service;
    const rule = this.dice.maybe(emulator.state().rules);
    if (!rule) return;
    this.isDrifted = true;
    if (this.dice.isLucky(0.5)) emulator.remote.deleteRule(rule.id);
    else emulator.remote.updateRule(rule.id, { cidr: '192.0.2.0/24' });
  }

  private async targets(): Promise<string[]> {
    const urns = ownResources(await this.stack.state()).map(({ urn }) => urn);
    const some = [...new Set(urns)].filter(() => this.dice.isLucky(0.5));
    return (some.length > 0 ? some : ['**']).flatMap((urn) => ['--target', urn]);
  }
}

/**
 * Whether the run deletes once more what an interrupted run has deleted before its replacement, as CLI 3.254.0 does with what
 * depends on a replaced resource. The state proves that it is gone.
 */
const deletesAgain = (steps: readonly PreviewStep[], { resources }: HeldState): boolean =>
  resources.some(
    ({ urn, id, pendingReplacement }) =>
      pendingReplacement === true &&
      steps.some(({ op, old }) => op === 'delete-replaced' && old?.urn === urn && old.id === id),
  );

type RequestFault = Parameters<Service['emulator']['fault']>[0];

/** What follows an edit by others. */
const DRIFTED = ['up --refresh', 'up', 'up'] as const;

/** Two networks; those of different parts overlap and are never equal, as each has another length. */
function networksOf({ name, content }: Part): [string, string] {
  const width = name.charCodeAt(0) - 'a'.charCodeAt(0);
  const first = (content >> width) << width;
  return [`10.0.${first}.0/${24 - width}`, `10.0.${first + 64}.0/${24 - width}`];
}

const ruleOf = (part: Part) => ({
  ...{ cidr: networksOf(part)[0], ip_policy_id: policiesOf(0)[part.at] },
  action: part.isDeny ? ('deny' as const) : ('allow' as const),
});

/** What a part declares, with a property that cannot be changed in place. */
function inputsOf(part: Part, from?: string): string {
  const { kind, name, content, at } = part;
  const [network, other] = networksOf(part).map(literal);
  const { action } = ruleOf(part);
  const moduleAt = (id: string) => `${id.slice(0, -2)}${name}${at}`;
  const [held, property, value, more] = {
    one: [network, 'action', action, `at: ${at}`],
    set: [`[deny(${network}), ${other}]`, 'ipPolicyId', policiesOf(0)[at], ''],
    edge: [`[${network}, ${other}]`, 'edgeId', moduleAt(tcpEdgeId), `...FORCED, enabled: ${content !== 0}`],
    route: [`'bot${content}'`, 'routeId', moduleAt(routeId), `...FORCED, enabled: ${content !== 0}`],
  }[kind];
  const given = from === undefined ? literal(value) : `${from}.id.apply(() => ${literal(value)})`;
  return `${held}, { ${property}: ${given}, ${more} }`;
}

/** Everything that is live, one text for each object. */
const liveIn = ({ rules, tcpModules, httpsModules }: Held): string[] =>
  [
    ...rules.map(({ cidr, action }) => `${action} ${cidr}`),
    ...Object.entries({ ...tcpModules, ...httpsModules }).map(
      ([place, module]) => `at ${place} ${contentIn(JSON.stringify(module))}`,
    ),
  ].sort();

/** What the stack manages; what it only looks up counts for access. */
const changeIn = ({ steps }: PreviewDocument): StackChange =>
  stackChangeOf(resourceChanges(steps).filter((change) => !isLookedUp(change)));

const contentIn = (text: string): string => text.match(/10\.0\.[\d.]+|bot\d/g)?.join() ?? '';

const said = (known: { readonly isKnown: boolean; readonly value?: unknown }): string =>
  known.isKnown ? String(known.value) : UNKNOWN;

const saidIn = (snapshot: Snapshot): string[] => [
  ...snapshot.rules.all.map(({ policyId, action, cidr, doubt }) =>
    policyId.isKnown && cidr.isKnown && !doubt ? `${said(action)} ${cidr.value.text}` : UNKNOWN,
  ),
  ...allModules(snapshot).map(({ subject, values, lists, isEnabled }) => {
    const parts = [isEnabled, ...Object.values(values), ...Object.values(lists)];
    const isKnown = parts.every((value) => value.isKnown);
    const content = isKnown
      ? contentIn([JSON.stringify(lists), said(values['value'] ?? known(''))].join())
      : UNKNOWN;
    return `at ${said(subject)} ${content}`;
  }),
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

const isModule = (text: string): boolean => text.startsWith('at ');

/** The texts without these, each of which must be among them. */
function without(texts: readonly string[], removed: readonly string[]): string[] {
  const left = [...texts];
  for (const text of removed) {
    expect(left).toContain(text);
    left.splice(left.indexOf(text), 1);
  }
  return left;
}

/** A refresh only reads: what it says of the time after it is live. */
function expectAsFound(preview: PreviewDocument, live: Held): void {
  const said = saidIn(changeIn(preview).after).filter((text) => !text.includes(UNKNOWN));
  expect(liveIn(live)).toEqual(expect.arrayContaining(said));
}

/** Who gets in after the run is within the bounds of the review; nobody else than before if it has said so. */
function expectAccess(
  preview: PreviewDocument,
  { before, after }: Readonly<Record<'before' | 'after', Held>>,
  state?: StackState,
): void {
  const taken = placesToRead(resourceChanges(preview.steps), new Set());
  const isTakenOver = ({ type, urn }: ReviewedResource['origin']) =>
    taken.some((place) => place.type === type && place.subject === urn);
  const { verdict, accesses } = reviewed(preview, {
    ...(state && { state }),
    liveRules: rulesOf(before),
    liveModules: modulesOf(before).filter(({ origin }) => isTakenOver(origin)),
    livePlaces: taken,
  });
  if (verdict.outcome === 'not-decidable') return;
  const subjects = new Set(
    accesses.map(({ subject }) => subject).filter((subject) => !subject.includes(' ')),
  );
  const letIn = new Set(whoGetsIn(after, subjects));
  const wasIn = new Set(whoGetsIn(before, subjects));
  for (const access of accesses) {
    if (access.of === 'user-agents' || access.begins || !subjects.has(access.subject)) continue;
    for (const [side, isLetIn] of [
      ['before', wasIn],
      ['after', letIn],
    ] as const) {
      const { surely, possibly } = access[side];
      for (const address of ADDRESSES) {
        const isIn = isLetIn.has(`${address} by ${access.subject}`);
        const bounds = [covers(surely, cidrOf(address)), covers(possibly, cidrOf(address))];
        expect([access.subject, side, address, isIn, bounds]).toEqual([
          ...[access.subject, side, address, isIn],
          isIn ? [bounds[0], true] : [false, bounds[1]],
        ]);
      }
    }
  }
  if (verdict.affectsAccess) return;
  expect([...letIn].sort()).toEqual(whoGetsIn(before, subjects).sort());
}

const TURNS = Number(process.env['EDGE_POLICY_CHANGES'] ?? 8);

const emptyStack = async (host: Host, service: Service): Promise<PulumiStack> =>
  (await stackOnService({ program: programText('return {};'), host }, service)).stack;

test.each<[Host, number]>([
  ['dynamic', 41],
  ['native', 42],
])('%s: what the service holds after a run is what the review has said of it', async (host, seed) => {
  const service = await startService({ switches: { duplicateCidr: 'accepted' } });
  const life = new Life(await emptyStack(host, service), service, new Dice(seed), host);
  for (let turn = 0; turn < TURNS; turn += 1) await life.turn();
  // What kept too many of them from being decided.
  expect(life.decided > TURNS / 2 ? [] : life.gaps).toEqual([]);
  expect([...life.seen]).toEqual(expect.arrayContaining(['same', 'create']));
});

test('a preview of a state that the program rewrites first is not decidable, on versions that can', async () => {
  const denyIn = (cidr: string, options = '{}') =>
    programText(`
      const { getStore } = require('@pulumi/pulumi/runtime/state');
      // The language host of the tests is older than this, and only passes it on.
      Object.defineProperty(getStore(), 'supportsStateMigrations', { get: () => true, set: () => {} });
      new IpPolicyRule('deny', { ipPolicyId: '${policyId}', cidr: '${cidr}', action: 'deny' }, ${options});
      return {};`);
  const { stack } = await stackOnService({ program: denyIn('0.0.0.0/1'), host: 'dynamic' });
  await stack.up();
  const rewrite = `(each) => ({ ...each, inputs: { ...each.inputs, cidr: '10.0.0.0/8' } })`;
  const migration = `({ oldState }) => ({ newState: oldState.map(${rewrite}) })`;
  stack.writeProgram(denyIn('10.0.0.0/8', `{ stateMigrations: [${migration}] }`));
  const { preview, state } = await previewed(stack);
  expect(preview.gaps.length === 0).toBe(stateGaps(preview.steps, state).length === 0);
});

test('what the last run has only looked up is live when its denies leave', async () => {
  const rule = (name: string, cidr: string, action: string) =>
    `new IpPolicyRule('${name}', { ipPolicyId: '${policyId}', cidr: '${cidr}', action: '${action}' });`;
  const denies = `${rule('low', '0.0.0.0/1', 'deny')} ${rule('high', '128.0.0.0/1', 'deny')}`;
  const programOf = (...parts: string[]) => programText(`${parts.join(' ')} return {};`);
  const { stack } = await stackOnService({
    program: programOf(rule('all', '0.0.0.0/0', 'allow'), denies),
    host: 'native',
  });
  await stack.up();
  const id = ownResources(await stack.state()).find(({ urn }) => urn.endsWith('::all'))?.id ?? '';
  const lookUp = `IpPolicyRule.get('all', '${id}');`;
  stack.writeProgram(programOf(lookUp, denies));
  await stack.up();
  stack.writeProgram(programOf(lookUp));
  const { preview, state } = await previewed(stack);
  const { findings, lookedUp } = reviewed(preview, { state });
  expect(lookedUp).toEqual(['all']);
  expect(findings.map(({ id: kind, severity }) => `${severity} ${kind}`)).toContain(
    'critical access-may-change',
  );
});

test('an import that an up refuses to replace is not decidable, however much the preview shows', async () => {
  const service = await startService();
  const { remote } = service.emulator;
  const own = { ip_policy_id: policyId, action: 'allow' } as const;
  const [first, second] = ['10.0.0.0/24', '10.0.1.0/24'].map(
    (cidr) => remote.createRule({ ...own, cidr }).id,
  );
  const imported = (id: string | undefined, cidr: string, action: string) =>
    programText(`new IpPolicyRule('it', { ipPolicyId: '${policyId}', cidr: '${cidr}', action: '${action}' },
      { import: ${literal(id)} }); return {};`);
  const before = imported(first, '10.0.0.0/24', 'allow');
  const { stack } = await stackOnService({ program: before, host: 'native' }, service);
  const isRefused = async (program: ReturnType<typeof programText>, ...args: string[]) => {
    stack.writeProgram(program);
    const { stdout } = await stack.call(['preview', '--json', '--show-sames', ...args]);
    return readPreviewDocument(stdout).gaps.some((gap) => plain(gap).includes('remove its option import'));
  };
  const denied = imported(first, '10.0.0.0/24', 'deny');
  expect(await isRefused(denied)).toBe(true);
  stack.writeProgram(before);
  await stack.up();
  expect(await isRefused(denied)).toBe(true);
  expect(await isRefused(imported(second, '10.0.1.0/24', 'deny'), '--show-replacement-steps')).toBe(true);
  expect((await stack.up({ expect: 'failure' })).output).toContain('may not be replaced');
  expect(await isRefused(imported(second, '10.0.1.0/24', 'allow'))).toBe(false);
});

/** Whether the object has this fate, by what was live and what is. */
const IS_SO: Readonly<Partial<Record<Fate, (before: unknown, after: unknown) => boolean>>> = {
  deleted: (_, after) => after === undefined,
  gone: (_, after) => after === undefined,
  changed: (_, after) => after !== undefined,
  unknown: () => true,
};
const isUnchanged = (before: unknown, after: unknown): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

test('every way to end, beside every end of its deletedWith, leaves live what the review has said', async () => {
  const service = await startService({ switches: { duplicateCidr: 'accepted' } });
  const { emulator } = service;
  const first = casesProgram('before', {});
  const { stack } = await stackOnService({ program: first, host: 'dynamic' }, service);
  await stack.up();
  const fault = emulator.fault({ method: 'DELETE', kind: 'status', status: 403, times: 'always' });
  stack.writeProgram(casesProgram('between', {}));
  await stack.up({ expect: 'failure' });
  fault.remove();
  stack.writeProgram(casesProgram('after', idsIn(await stack.state())));
  const { preview, state } = await previewed(stack);
  const brief = await stack.call(['preview', '--json', '--show-sames']);
  const before = emulator.state();
  await stack.up();
  const after = emulator.state();

  expect(preview.gaps).toEqual([]);
  const rule = ({ rules }: Held, id: string | undefined) => rules.find((each) => each.id === id);
  const wrong = fatesOf(preview.steps).flatMap(({ urn, objects }) => {
    const [of] = changesIn(urn).map((index) => CASES[index]);
    return objects.flatMap(({ fate, state: { id } }) => {
      const isSo = (IS_SO[fate] ?? isUnchanged)(rule(before, id), rule(after, id));
      const isDecided = fate !== 'unknown' || of?.isOpen === true;
      return isSo && isDecided ? [] : [{ urn, fate, ...of }];
    });
  });
  expect(wrong).toEqual([]);
  expectAccess(preview, { before, after });
  // What a shorter preview hides of earlier runs, and of what is deleted with a replacement, only the state shows.
  expect(stateGaps(preview.steps, state)).toEqual([]);
  expect(stateGaps(readPreviewDocument(brief.stdout).steps, state)).not.toEqual([]);
});
