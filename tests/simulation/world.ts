import { Emulator } from '../../emulator/src/index';
import type { ClientSettings } from '../../provider/src/api/settings';
import { type Declaration, type EngineRun, type Outcome, StandInEngine } from '../support/stand-in-engine';
import { Account } from './account';
import type { Broken } from './judge/broken';
import { declaredThings, heldThings, liveThings, type Thing } from './judge/live';
import { ListWatch } from './judge/list-watch';
import { ResendWatch } from './judge/resend-watch';
import { TwinWatch } from './judge/twin-watch';
import { WindowWatch } from './judge/window-watch';
import type { Life, RunStep } from './life';
import { Network } from './network/network';
import type { Observer, Sent } from './network/observer';
import { YoungRules } from './network/young-rules';
import { declarationsOf, policies, type Program } from './program/program';
import { Dice } from './time/dice';
import { ProcessClock, VirtualTime } from './time/virtual-time';
import { Timeline } from './timeline';
import { WatchedHost } from './watched-host';

const API_KEY = 'simulated-key';

const defaults: ClientSettings = {
  apiKey: API_KEY,
  baseUrl: 'http://127.0.0.1:0',
  versionHeader: 'Service-Version',
  version: '2',
  maxConcurrency: 8,
  requestTimeoutMs: 30_000,
  operationTimeoutMs: 300_000,
  maxAttempts: 4,
};

/** One plugin process, as its life and death concern the world. */
export interface Process {
  readonly number: number;
  readonly host: WatchedHost;
  kill(): void;
}

/** A service, a way to it, a stack, and time that only the simulation moves. */
export class World {
  readonly time = new VirtualTime();
  readonly startedAtMs = this.time.now();
  readonly timeline: Timeline;
  readonly account: Account;
  readonly network: Network;
  readonly engine: StandInEngine;
  readonly windows: WindowWatch;
  readonly processes: Process[] = [];
  /** The policies that an exclusive set of some run stood for: what others make there is its own to remove. */
  readonly ownedPolicies = new Set<string>();
  program: Program = [];
  settings: ClientSettings;
  private isDestroying = false;
  /** The first thing that was seen to be wrong. */
  broken: Broken | undefined;
  /** Told of every event on the network; a death waits for one of them. */
  onEvent: () => void = () => undefined;
  /** Processes that were killed, and after which nobody recovered. */
  readonly abandoned = new Set<number>();
  readonly lists = new ListWatch();
  readonly twins: TwinWatch;
  private readonly resends = new ResendWatch();
  /** The process of the run that is under way. */
  private current = 0;

  constructor(
    readonly life: Life,
    keepTimeline = false,
  ) {
    const clock = (): number => this.time.now() + life.skewMs;
    const emulator = new Emulator({
      clock,
      accounts: { [API_KEY]: 'default' },
      switches: life.switches,
      journal: 'off',
    });
    this.timeline = new Timeline(() => this.time.now() - this.startedAtMs, keepTimeline);
    this.account = new Account(emulator);
    this.account.addCrowd(life.crowd);
    this.windows = new WindowWatch(
      () => this.account.state,
      // A destroy leaves nothing to any of the two.
      (id) =>
        !this.isDestroying &&
        this.engine.state.flatMap(heldThings).filter((thing) => thing.id === id).length > 1,
    );
    this.twins = new TwinWatch(() => this.time.now(), life.switches.listLagMs ?? 0);
    const young = new YoungRules(this.account, life.unknownForMs ?? 0, clock);
    this.network = new Network(this.time, young, this.observer());
    this.settings = { ...defaults, ...life.settings };
    this.engine = new StandInEngine(() => this.newProcess().host);
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
    const host = new WatchedHost(this.settings, { clock, connect, random }, this.windows);
    const kill = (): void => {
      clock.kill();
      for (const carrier of carriers) carrier.kill();
    };
    const process = { number, host, kill };
    this.processes.push(process);
    this.current = number;
    return process;
  }

  /** How far our time of day is ahead of what it was when the life began. */
  private ourErrorMs(): number {
    const { clockSetAtMs = Infinity, skewMs } = this.life;
    return this.time.now() - this.startedAtMs >= clockSetAtMs ? skewMs : 0;
  }

  /** Begins a run under some weather; the windows are watched from here on. */
  start(
    command: 'up' | 'refresh' | 'destroy',
    options: Pick<RunStep, 'weather' | 'parallel' | 'looksUpPolicies'> & {
      readonly targets?: readonly string[];
      /** Others have touched what is ours, and no refresh has told state of it. */
      readonly isDrifted?: boolean;
    },
  ): { readonly run: EngineRun; readonly ended: Promise<Outcome> } {
    const { weather, parallel, targets, looksUpPolicies = false, isDrifted = false } = options;
    this.network.weather = weather;
    this.isDestroying = command === 'destroy';
    for (const part of this.program)
      if (part.kind === 'set' && part.isExclusive) this.ownedPolicies.add(part.policy);
    const isWhole = command === 'up' && targets === undefined;
    this.windows.begin(isWhole ? this.keptEffects(isDrifted) : [], isDrifted);
    const dice = new Dice(weather.seed + 1);
    const pause = (): Promise<void> => this.time.wait(dice.between(0, 30));
    this.timeline.note(
      () =>
        `${command} -p ${parallel}${targets === undefined ? '' : ` --target ${targets.join(' ')}`}: ${describe(this.program)}`,
    );
    const program = looksUpPolicies ? [...lookUps, ...this.declarations] : this.declarations;
    const asked = command === 'up' ? { command, program } : { command };
    return this.engine.start(asked, { parallel, pause, ...(targets === undefined ? {} : { targets }) });
  }

  /** Whether a resource of the state stands for an object. */
  isManaged(id: string): boolean {
    return this.engine.state.flatMap(heldThings).some((thing) => thing.id === id);
  }

  /**
   * Whether no client can know of a rule: nobody waited for its create any more, or looked after who sent it. A service that
   * refuses a second rule tells of one that is still declared.
   */
  isBeyondKnowledge({ id = '', effect }: Thing): boolean {
    if (this.twins.isLate(id)) return true;
    if (!this.abandoned.has(this.twins.creatorOf(id) ?? 0)) return false;
    const isAccepted = this.life.switches.duplicateCidr === 'accepted';
    return isAccepted || declaredThings(this.program).every((thing) => thing.effect !== effect);
  }

  /** Throws what the watches have seen. */
  assertUnbroken(): void {
    if (this.broken !== undefined) throw this.broken;
  }

  /** What is live, in the state of a resource, and declared by the same one for after the run. */
  private keptEffects(isDrifted: boolean): string[] {
    const effectOf = new Map(liveThings(this.account.state).map(({ id, effect }) => [id, effect]));
    const declared = declaredThings(this.program).map(({ effect }) => effect);
    return this.program.flatMap((part) => {
      const names = [part.name, ...(part.aliases ?? [])];
      const after = new Set(declaredThings([part]).map(({ effect }) => effect));
      return (
        this.engine.state
          .filter(({ name, isPendingReplacement }) => names.includes(name) && isPendingReplacement !== true)
          .flatMap(heldThings)
          .filter(({ effect }) => after.has(effect) && !declared.includes(opposite(effect)))
          // What state says of an object that others have moved away is wrong.
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
      onSend: (sent, strike) => {
        this.timeline.sent(sent, strike);
        see(this.resends.onSend(sent));
        this.lists.onSend(sent);
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
    if (sent.process === this.current) return this.windows.onChange(sent);
    this.windows.onForeignChange();
    return undefined;
  }
}

const opposite = (effect: string): string =>
  effect.replace(/ (allow|deny) /, (_, action) => (action === 'allow' ? ' deny ' : ' allow '));

/** A program that looks up all rules of each policy. */
const lookUps = policies.map((lookUp, index): Declaration => ({
  type: 'IpPolicyRuleSet',
  name: `look-up${index}`,
  inputs: {},
  lookUp,
}));

/** A program in one line. */
const describe = (program: Program): string =>
  JSON.stringify(
    declarationsOf(program).map(({ name, inputs, aliases, dependsOn }) => ({
      name,
      ...inputs,
      aliases,
      dependsOn,
    })),
  );
