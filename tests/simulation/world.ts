import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emulator } from '../../emulator/src/index';
import type { ClientSettings } from '../../provider/src/api/client-settings';
import { OtherProcesses } from '../../provider/src/run/other-processes';
import { RunFiles } from '../../provider/src/run/run-files';
import { UserError } from '../../provider/src/errors/user-error';
import { serviceAddress } from '../../provider/src/values/service-address';
import { Dice } from '../support/dice';
import { usualSettings } from '../support/host-process';
import { VirtualClock } from '../support/virtual-clock';
import {
  type Declaration,
  type EngineRun,
  type Entry,
  type Outcome,
  StandInEngine,
} from '../support/stand-in-engine';
import { Account } from './account';
import type { Broken } from '../support/invariants';
import { declaredThings, heldThings, isSame, liveThings, type Thing } from '../support/things';
import { ResendWatch } from './watches/resend-watch';
import { TwinWatch } from './watches/twin-watch';
import { WindowWatch } from './watches/window-watch';
import type { Life, RunStep } from './life';
import { Network, type Observer, type Sent } from './network/network';
import { declarationsOf } from '../support/random-program/declarations';
import { asKept, type Program } from '../support/random-program/program';
import { ProcessClock } from './process-clock';
import { secondName } from './script';
import { Timeline } from './timeline';
import { WatchedHost } from './watched-host';

const API_KEY = 'simulated-key';
/** A key of another account, which holds nothing. */
export const FOREIGN_KEY = 'foreign-key';

const defaults = usualSettings('http://127.0.0.1:0', API_KEY);

/** One plugin process, as far as its start and its end matter to the world. */
export interface Process {
  readonly number: number;
  /** The call of the CLI that has started it. */
  readonly run: number;
  readonly host: WatchedHost;
  kill(): void;
}

/** A service, a network, a stack, and time that only the simulation moves. */
export class World {
  readonly time = new VirtualClock();
  readonly startedAtMs = this.time.epochMs();
  readonly timeline: Timeline;
  readonly account: Account;
  readonly network: Network;
  readonly engine: StandInEngine;
  readonly windows = new WindowWatch(this);
  readonly processes: Process[] = [];
  /** The policies that an exclusive set of some run owned: it may remove what others create there. */
  readonly ownedPolicies = new Set<string>();
  program: Program = [];
  settings: ClientSettings;
  private isDestroying = false;
  private hasNoFolder = false;
  private replaced: readonly string[] = [];
  /** The first problem that was found. */
  broken: Broken | undefined;
  /** Called for every event on the network; a death waits for one of them. */
  onEvent: () => void = () => undefined;
  /** Processes that were killed without a recovery after them. */
  readonly abandoned = new Set<number>();
  readonly twins: TwinWatch;
  private readonly resends = new ResendWatch();
  /** The current call of the CLI. */
  private run = 0;
  /** Where the processes of a run tell each other what they own; only if there are several. */
  private readonly folder: string | undefined;
  private readonly files: { readonly run: number; readonly files: RunFiles }[] = [];

  constructor(
    readonly life: Life,
    keepTimeline = false,
  ) {
    const clock = (): number => this.time.epochMs() + life.skewMs;
    const emulator = new Emulator({
      clock,
      accounts: { [API_KEY]: 'default', [FOREIGN_KEY]: 'another' },
      switches: life.switches,
      journal: 'counts',
    });
    this.timeline = new Timeline(() => this.time.epochMs() - this.startedAtMs, keepTimeline);
    this.account = new Account(emulator, { unknownForMs: life.unknownForMs ?? 0, nowMs: clock });
    this.account.addCrowd(life.crowd);
    this.twins = new TwinWatch(() => this.time.epochMs(), life.switches.listLagMs ?? 0);
    this.network = new Network(this.time, this.account, this.observer());
    this.settings = { ...defaults, ...life.settings };
    this.folder = hasProviders(life) ? mkdtempSync(join(tmpdir(), 'edge-policy-life-')) : undefined;
    this.engine = new StandInEngine((provider) => {
      if (provider === '') this.run += 1;
      return this.newProcess().host;
    });
  }

  end(): void {
    for (const { files } of this.files) files.close();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true });
  }

  /** The plugin processes of the last call of the CLI. */
  get runProcesses(): Process[] {
    return this.processes.filter(({ run }) => run === this.run);
  }

  get declarations(): Declaration[] {
    return declarationsOf(this.program);
  }

  newProcess(): Process {
    const number = this.processes.length + 1;
    const clock = new ProcessClock(this.time, () => this.ourErrorMs());
    const carriers: { kill(): void }[] = [];
    const connect = (settings: ClientSettings) => {
      const carrier = this.network.connect(settings, number);
      carriers.push(carrier);
      return carrier;
    };
    const random = new Dice(this.life.seed + number).fraction;
    const others = this.othersOfRun(number);
    const environment = { clock, connect, random, ...(others === undefined ? {} : { others }) };
    const host = new WatchedHost(this.settings, environment, this.windows);
    const kill = (): void => {
      clock.kill();
      for (const carrier of carriers) carrier.kill();
    };
    const process = { number, run: this.run, host, kill };
    this.processes.push(process);
    return process;
  }

  /** The files of earlier runs stay in the folder, and only those of the same run count. Every other process spells the address differently. */
  private othersOfRun(number: number): OtherProcesses | undefined {
    const { folder, run } = this;
    if (folder === undefined) return undefined;
    if (this.hasNoFolder) return new OtherProcesses(undefined, new UserError('no folder'));
    const service = (): string => serviceAddress(spelled(this.settings.baseUrl, number));
    const files = new RunFiles(folder, String(number), service);
    for (const other of this.files.filter((each) => each.run === run)) {
      files.count(other.files.name);
      other.files.count(files.name);
    }
    this.files.push({ run, files });
    return new OtherProcesses(files);
  }

  /** How far our time of day has moved since the life began. */
  private ourErrorMs(): number {
    const { clockSetAtMs = Infinity, skewMs } = this.life;
    return this.time.epochMs() - this.startedAtMs >= clockSetAtMs ? skewMs : 0;
  }

  /** Begins a run under some weather, and the watch over windows. */
  start(
    command: 'up' | 'refresh' | 'destroy',
    options: Omit<RunStep, 'do' | 'target' | 'replace' | 'death' | 'leaving'> & {
      readonly targets?: readonly string[] | undefined;
      readonly replace?: readonly string[] | undefined;
      /** Others have changed our objects, and state has not been refreshed since. */
      readonly isDrifted?: boolean;
    },
  ): { readonly run: EngineRun; readonly ended: Promise<Outcome> } {
    const { weather, parallel, targets, isDrifted = false } = options;
    const { refresh, replace, continuesOnError = false, apartMs = 30 } = options;
    this.network.weather = weather;
    this.isDestroying = command === 'destroy';
    this.replaced = replace ?? [];
    this.hasNoFolder = options.hasNoFolder === true;
    for (const part of this.program)
      if (part.kind === 'set' && part.isExclusive) this.ownedPolicies.add(part.policy);
    const isWhole = command === 'up' && targets === undefined;
    this.windows.begin(isWhole ? this.keptEffects(isDrifted) : [], isDrifted);
    const dice = new Dice(weather.seed + 1);
    const pause = (): Promise<void> => this.time.sleep(dice.between(0, apartMs));
    this.timeline.note(
      () =>
        `${command} ${JSON.stringify({ parallel, targets, replace, refresh, continuesOnError, apartMs })}: ${describe(this.program)}`,
    );
    const asked = command === 'up' ? { command, program: this.declarations } : { command };
    return this.engine.start(asked, { parallel, pause, continuesOnError, targets, replace, refresh });
  }

  /** Adds a second entry of state for a resource. */
  duplicate(name: string): void {
    const entry = this.engine.state.find((one) => one.name === name && one.isPendingReplacement !== true);
    const hasSecond = this.engine.state.some((one) => one.name === secondName(name));
    if (entry === undefined || entry.isDoomed === true || hasSecond) return;
    this.engine.state = [...this.engine.state, { ...entry, name: secondName(name) }];
    this.timeline.note(() => `a second entry for ${name}`);
  }

  /** A text that `ignoreChanges` keeps counts as declared. */
  noteKept(): void {
    this.program = asKept(this.program, ({ name }) => {
      const entry = this.engine.state.find((one) => one.name === name && one.isPendingReplacement !== true);
      return entry?.inputs;
    });
  }

  /** Whether a resource of the state has an object. */
  isManaged(id: string): boolean {
    return this.engine.state.flatMap(heldThings).some((thing) => thing.id === id);
  }

  /**
   * Whether no client can know of a rule: nobody waited for its create any more, or looked up its result, or the refusal of a
   * create that was carried out twice was the answer. A service that refuses a second rule reveals one that is still declared.
   */
  isBeyondKnowledge({ id = '', effect }: Thing): boolean {
    if (this.twins.isLate(id)) return true;
    if (!this.abandoned.has(this.twins.creatorOf(id) ?? 0) && !this.twins.isDoubled(id)) return false;
    const isAccepted = this.life.switches.duplicateCidr === 'accepted';
    return isAccepted || declaredThings(this.program).every((thing) => thing.effect !== effect);
  }

  /** Whether two entries of state hold an object, and the run keeps one of them. A destroy leaves nothing on either side. */
  isKeptByOther(id: string): boolean {
    if (this.isDestroying) return false;
    const holders = this.engine.state.filter((entry) => heldThings(entry).some((thing) => thing.id === id));
    return (
      holders.length > 1 &&
      holders.some((entry) =>
        this.program.some(
          (part) => this.keeps(unlessReplaced(part, entry), entry) && declares(part, entry, id),
        ),
      )
    );
  }

  /** Whether the run leaves an entry of state in its place: a replaced resource is deleted first. */
  private keeps(part: Program[number], { name, provider, isPendingReplacement }: Entry): boolean {
    if (part.replaceOnChanges === true || this.replaced.includes(part.name)) return false;
    const isSame = part.name === name || part.aliases?.includes(name) === true;
    return isSame && part.provider === provider && isPendingReplacement !== true;
  }

  /** Throws the first problem that the watches have found. */
  assertUnbroken(): void {
    if (this.broken !== undefined) throw this.broken;
  }

  /** The objects that are live, in the state of a resource, and declared by the same one for after the run. */
  private keptEffects(isDrifted: boolean): string[] {
    const effectOf = new Map(liveThings(this.account.state).map(({ id, effect }) => [id, effect]));
    const declared = declaredThings(this.program).map(({ effect }) => effect);
    return this.program.flatMap((part) => {
      const after = new Set(declaredThings([part]).map(({ effect }) => effect));
      return (
        this.engine.state
          .filter((entry) => this.keeps(part, entry))
          .flatMap(heldThings)
          .filter(({ effect }) => after.has(effect) && !declared.includes(opposite(effect)))
          // Of two declarations of one object, either may be replaced.
          .filter(({ effect }) => declared.indexOf(effect) === declared.lastIndexOf(effect))
          // State is wrong about an object that others have moved.
          .filter(({ id, effect }) => effectOf.get(id) === effect || (!isDrifted && effectOf.has(id)))
          .map(({ effect }) => effect)
      );
    });
  }

  private observer(): Observer {
    const see = (broken: Broken | undefined): void => {
      if (broken !== undefined) this.timeline.note(() => `!! ${broken.message}`);
      this.broken ??= broken;
    };
    return {
      onSend: (sent, fault) => {
        this.timeline.sent(sent, fault);
        see(this.resends.onSend(sent));
        this.windows.onSend(sent);
        this.onEvent();
      },
      onEffect: (sent, answer) => {
        this.timeline.effect(sent, answer);
        if (sent.method !== 'GET' && answer.status < 300) see(this.afterChange(sent));
        this.twins.onEffect(sent, answer);
        this.onEvent();
      },
      onReply: (sent, reply) => {
        this.timeline.reply(sent, reply);
        this.resends.onReply(sent, reply);
        this.twins.onReply(sent, reply);
        this.onEvent();
      },
      onLate: (sent) => {
        this.timeline.note(() => `  #${sent.number} has its effect only now`);
        this.twins.onLate(sent);
      },
    };
  }

  private afterChange(sent: Sent): Broken | undefined {
    if (this.processes[sent.process - 1]?.run === this.run) return this.windows.onChange(sent);
    this.windows.onForeignChange();
    return undefined;
  }
}

/** Whether any call of the CLI has several plugin processes. */
const hasProviders = ({ steps }: Life): boolean =>
  steps.some((step) => step.do === 'program' && step.program.some(({ provider }) => provider !== undefined));

/** A resource that a change would replace, without that option if the state has nothing else than it declares. */
const unlessReplaced = (part: Program[number], entry: Entry): Program[number] =>
  isSame(declaredThings([part]), heldThings(entry)) &&
  (part.kind !== 'set' || part.isExclusive === entry.inputs['exclusive'])
    ? { ...part, replaceOnChanges: false }
    : part;

/** Whether a part still declares what an entry of state holds by an id: a set may give the rule up. */
function declares(part: Program[number], entry: Entry, id: string): boolean {
  const held = heldThings(entry).find((thing) => thing.id === id);
  return declaredThings([part]).some(({ effect }) => effect === held?.effect);
}

const spelled = (address: string, by: number): string =>
  by % 2 === 0 ? address : `${address.replace('http://127.0.0.1', 'HTTP://127.1')}/`;

const opposite = (effect: string): string =>
  effect.replace(/ (allow|deny) /, (_, action) => (action === 'allow' ? ' deny ' : ' allow '));

/** A program in one line. */
const describe = (program: Program): string =>
  JSON.stringify(
    declarationsOf(program).map(({ name, inputs, type: _, ...options }) => ({ name, ...inputs, ...options })),
  );
