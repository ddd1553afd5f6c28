import type { Outcome } from '../support/stand-in-engine';
import { Broken, requireInvariant } from '../support/invariants';
import { declaredThings, heldThings, liveThings, said } from '../support/things';
import { type EndedRun, UniqueIds } from './watches/unique-ids';
import type { Death, Life, RunStep, Step } from './life';
import { Operator } from './operator';
import { type InputOf, withUnknown } from '../support/random-program/declarations';
import { withoutConflicts } from '../support/random-program/program';
import { type Process, World } from './world';

/** How long the CLI takes before anything happens: two runs never follow each other at once. */
const CLI_START_MS = 5_000;
/**
 * On a service that does not know young rules, or shows old modules: the pause of an operator who repeats a call. The CLI takes longer
 * than a second, and nothing distinguishes the times of creation within one.
 */
const HURRIED_CLI_START_MS = 1_500;

const LEAVE_EVERY_MS = 100;

/** One life, step by step. */
export class Lived {
  readonly world: World;
  readonly operator: Operator;
  /** Others have changed our objects since the last refresh: until the next one no state is expected to be right. */
  private isDrifted = false;
  /** How long a plugin goes on whose CLI was killed: anything refreshed before may change again. */
  private lingersUntilMs = 0;
  private runBeganAtMs = 0;
  private readonly uniqueIds = new UniqueIds();

  constructor(
    readonly life: Life,
    keepTimeline = false,
  ) {
    this.world = new World(life, keepTimeline);
    this.operator = new Operator(this.world);
  }

  async live(): Promise<void> {
    for (const step of this.life.steps) {
      await this.perform(step);
      this.world.assertUnbroken();
    }
  }

  private async perform(step: Step): Promise<void> {
    const { world } = this;
    switch (step.do) {
      case 'program':
        world.program = step.program;
        return;
      case 'preview':
        await this.preview(step.unknown);
        return;
      case 'duplicate':
        world.duplicate(step.name);
        return;
      case 'settings':
        world.settings = { ...world.settings, ...step.settings };
        return;
      case 'others':
        // Objects that a dead run has made and that no resource manages can only be known from its output.
        if (this.operator.isInDoubt) return;
        if (world.account.do(step.deed, (id) => world.isManaged(id))) this.isDrifted = true;
        world.timeline.note(() => `others: ${JSON.stringify(step.deed)}`);
        // No refresh can know of a deletion before the list does.
        await world.time.run(world.time.sleep(this.life.switches.deletedListedMs ?? 0));
        return;
      case 'wait':
        await world.time.run(world.time.sleep(step.ms));
        return;
      default:
        await this.call(step);
    }
  }

  /** The ids of objects in two entries of the state, and whether these entries agree about the content. */
  private sharedIds(): { readonly id: string; readonly isAgreed: boolean }[] {
    const held = this.world.engine.state.flatMap(heldThings).filter(({ id }) => id !== undefined);
    return held.flatMap((thing, index) => {
      const other = held.slice(0, index).find(({ id }) => id === thing.id);
      return other === undefined ? [] : [{ id: thing.id ?? '', isAgreed: said(other) === said(thing) }];
    });
  }

  /**
   * If two entries of state share an object, the engine may not have named one of them when the other was deleted. And if they
   * disagree about its content, as one took it from the other with `--target`, only a refresh shows whose is live.
   */
  private noteShared(shared: readonly { readonly id: string; readonly isAgreed: boolean }[]): void {
    const live = new Set(liveThings(this.world.account.state).map(({ id }) => id));
    if (shared.some(({ id, isAgreed }) => !isAgreed || !live.has(id))) this.isDrifted = true;
  }

  private async call(step: RunStep): Promise<void> {
    const { world } = this;
    const isHurried = this.life.unknownForMs !== undefined || this.life.switches.moduleLagMs !== undefined;
    await world.time.run(world.time.sleep(isHurried ? HURRIED_CLI_START_MS : CLI_START_MS));
    this.runBeganAtMs = world.time.epochMs();
    const { target, replace, ...options } = step;
    const sharedIds = this.sharedIds();
    const { run, ended } = world.start(step.do, {
      ...options,
      isDrifted: this.isDrifted,
      targets: target === undefined ? undefined : [target],
      replace: replace === undefined ? undefined : [replace],
    });
    if (step.crowdMs !== undefined) this.crowd(step.crowdMs);
    for (let count = 0; count < (step.leaving ?? 0); count += 1)
      world.time.after(LEAVE_EVERY_MS * (count + 1), () => {
        world.account.leave(({ policy }) => !world.ownedPolicies.has(policy));
      });
    const died = step.death === undefined ? [] : [this.awaitDeath(step.death, run)];
    const outcome = await world.time.run(Promise.race([ended, ...died]));
    world.onEvent = () => undefined;
    world.windows.end();
    world.noteKept();
    if (outcome === undefined) {
      if (step.death !== undefined) await this.afterDeath(step.death);
      this.noteShared(sharedIds);
      // Failures before the CLI was killed are on the screen.
      this.noteUndone(run.errors);
      await this.operator.followAdvice(run.errors);
      return;
    }
    world.timeline.note(
      () => `${step.do} ended: ${outcome.steps.join(', ')} ${outcome.errors.map(String).join(' | ')}`,
    );
    if (step.isUnhindered === true) judgeTime(outcome);
    const isInterrupted = run.isStopped && outcome.errors.length === 0;
    this.noteShared(sharedIds);
    this.judge(step, outcome, {
      named: run.named,
      isWhole: target === undefined && !isInterrupted && this.isAllNamed(step, outcome),
    });
    const warnings = world.runProcesses.flatMap(({ host }) => host.warnings);
    const said = [...warnings, ...outcome.errors.map(({ message }) => message)];
    const unmanaged = new Set(this.operator.unmanaged().map(({ id = '' }) => id));
    for (const { number } of world.runProcesses) world.twins.judge(number, said, unmanaged);
    this.operator.deleteNamedTwins(warnings);
    for (const warning of warnings) this.operator.deleteDoubtful(warning);
    this.operator.noteRulesInTheWay(outcome.errors);
    await this.operator.followAdvice(outcome.errors);
    if (step.death?.of === 'plugin' && outcome.errors.length > 0) await this.afterDeath(step.death);
  }

  /** I12. If a preview with an unknown value refuses something, so does one without. */
  private async preview(unknown: InputOf): Promise<void> {
    const { time, engine, network, declarations } = this.world;
    const { sent } = network;
    // With `ignoreChanges`, a refused input may only take effect if an unknown value replaces the resource.
    if (this.world.program.some(({ isRefused }) => isRefused)) return;
    const known = await time.run(engine.preview(declarations));
    const { errors } = await time.run(engine.preview(withUnknown(declarations, unknown)));
    requireInvariant(network.sent === sent, 'I12', () => 'a preview has sent requests');
    const isNew = known.errors.length === 0 && errors.length > 0;
    requireInvariant(!isNew, 'I4', () => `a preview with an unknown value fails: ${errors.join(' | ')}`);
  }

  /** Not if check refused something, the refresh of a resource failed, or a replacement was forced: then the engine never compared it. */
  private isAllNamed({ refresh, replace }: RunStep, { errors }: Outcome): boolean {
    if ((refresh !== undefined || replace !== undefined) && errors.length > 0) return false;
    return !this.world.program.some(({ isRefused }) => isRefused);
  }

  private judge(
    { do: command }: RunStep,
    { errors }: Outcome,
    run: Pick<EndedRun, 'isWhole' | 'named'>,
  ): void {
    const { world, isDrifted } = this;
    const { isWhole, named } = run;
    this.uniqueIds.judge(world, {
      isWhole: isWhole && command !== 'refresh',
      isApplied: command === 'up' && errors.length === 0,
      isDrifted,
      named,
      isTold: errors.some(({ message }) => /belongs to two resources|is declared twice/.test(message)),
    });
    this.noteUndone(errors);
    if (errors.length > 0 || !isWhole) return;
    this.operator.noteSuccess(command);
    if (command === 'refresh' && this.runBeganAtMs >= this.lingersUntilMs) this.isDrifted = false;
    if (command !== 'up' || this.isDrifted || this.operator.isInDoubt) return;
    // Two declarations with different providers, each in a process of its own, are only visible to `doctor` and the review.
    if (withoutConflicts(world.program).length < world.program.length) return;
    const live = new Set(liveThings(world.account.state).map(said));
    const missing = declaredThings(world.program).filter((thing) => !live.has(said(thing)));
    requireInvariant(missing.length === 0, 'I10', () => `up succeeded without ${JSON.stringify(missing)}`);
  }

  private crowd(forMs: number): void {
    const { time, account } = this.world;
    const { rateLimit = 0 } = this.life.switches;
    const headers = { authorization: 'Bearer simulated-key', 'service-version': '2' };
    const until = time.epochMs() + forMs;
    const hog = (): void => {
      for (let count = 0; count < rateLimit; count += 1) {
        const { status } = account.answer({ method: 'GET', target: '/ip_policy_rules/ipr_x', headers });
        if (status === 429) break;
      }
      if (time.epochMs() < until) time.after(1_000, hog);
    };
    if (rateLimit > 0) time.after(150, hog);
  }

  /** Resolves, without an outcome, when the CLI dies; after another death the run ends by itself. */
  private awaitDeath(
    death: Death,
    run: { killCli(): void; killPlugin(): void; stop(): void },
  ): Promise<undefined> {
    const { world } = this;
    const killPlugins = (processes: readonly Process[]): void => {
      for (const process of processes) process.kill();
    };
    return new Promise((resolve) => {
      let events = 0;
      world.onEvent = () => {
        events += 1;
        if (events !== death.atEvent) return;
        world.timeline.note(() => `death of ${death.of}`);
        if (death.of === 'interrupt') {
          run.stop();
          return;
        }
        const processes = world.runProcesses;
        if (death.of !== 'cli') killPlugins(processes);
        if (death.of === 'plugin') {
          run.killPlugin();
          return;
        }
        run.killCli();
        this.lingersUntilMs = world.time.epochMs() + death.lingerMs;
        world.time.after(death.lingerMs, () => {
          killPlugins(processes);
        });
        resolve(undefined);
      };
    });
  }

  /** The state has what a failed delete has removed in part, until a refresh. */
  private noteUndone(errors: Outcome['errors']): void {
    if (errors.some(({ message }) => staysInState.test(message))) this.isDrifted = true;
  }

  private async afterDeath(death: Death): Promise<void> {
    const processes = this.world.runProcesses;
    if (death.of === 'plugin') this.operator.notePluginDeath();
    if (death.then === 'recover') await this.operator.recover(processes);
    else this.forgo(processes);
  }

  /** The next run forgets pending deletes and updates: only a refresh tells what became of them. */
  private forgo(processes: readonly Process[]): void {
    const { engine, abandoned } = this.world;
    this.isDrifted = true;
    const isSetOpen = engine.pending.some(
      ({ type, entry }) => type === 'updating' && entry.type === 'IpPolicyRuleSet',
    );
    if (isSetOpen) for (const { number } of processes) abandoned.add(number);
  }
}

/** I9. Failures for other reasons than time concern the other judges. */
function judgeTime({ errors }: Outcome): void {
  const late = errors.find(({ message }) => /not done within \d+ s|no complete answer within/.test(message));
  if (late !== undefined) throw new Broken('I9', late.message);
}

/** The provider's message about a delete that the engine considers undone, though all or some of it may have happened. */
const staysInState =
  /may or may not have been deleted|was not fully deleted: .* The state still holds the whole set/;
