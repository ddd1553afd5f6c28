import { PROVIDER_KEY } from '../../provider/src/fields/field';
import { providerReference } from '../../provider/src/resources/provider-reference';
import type { Outcome, PendingOperation } from '../support/stand-in-engine';
import { requireInvariant } from '../support/invariants';
import { declaredThings, heldThings, liveThings, type Thing } from '../support/things';
import { goodWeather } from './network/faults';
import { declarationsOf } from '../support/random-program/declarations';
import { judge, settle } from './recovery';
import type { Process, World } from './world';
import type { Bag } from '../support/host-process';

/** How long a list may lag. */
const LIST_LAG_MS = 10_000;

/** The person who runs the CLI, reads its output, and follows the documentation. */
export class Operator {
  private readonly successes: number[] = [];
  private readonly stackBeganAt: number;
  /** Whether the plugin of a run was killed: what it has made is recorded nowhere. */
  private hasPluginDied = false;
  private wasPluginKilled = false;
  /** Rules that the refusal of a create has named and left to the next `up`. */
  private readonly left: string[] = [];

  constructor(private readonly world: World) {
    this.stackBeganAt = world.time.epochMs();
  }

  /** A run was killed, and its effects have not been settled yet. */
  get isInDoubt(): boolean {
    return this.hasPluginDied || this.world.engine.pending.length > 0;
  }

  noteSuccess(command: string): void {
    if (command !== 'refresh') this.successes.push(this.world.time.epochMs());
  }

  notePluginDeath(): void {
    this.hasPluginDied = true;
    this.wasPluginKilled = true;
  }

  /** `recover`, after the dead run has ended completely. */
  async recover(processes: readonly Process[] = []): Promise<void> {
    const { world } = this;
    await world.time.run(world.time.sleep(world.settings.operationTimeoutMs + LIST_LAG_MS));
    for (const process of processes) process.kill();
    const { settings } = world;
    // The command is repeated if a setting is too impatient for the rate limit, which has the effect of one long try.
    world.settings = { ...settings, operationTimeoutMs: 300_000 };
    for (let attempt = 0; attempt < 3 && world.engine.pending.length > 0; attempt += 1) {
      await this.settle(world.engine.pending);
    }
    world.settings = settings;
    if (this.hasPluginDied) await this.removeUnrecorded();
    this.hasPluginDied = false;
  }

  /** What to do if a create's outcome is unknown: look, and bring in what happened, as `import` does. */
  async followAdvice(errors: Outcome['errors']): Promise<void> {
    for (const { message } of errors) this.deleteDoubtful(message);
    const isOpen = errors.some(({ message }) =>
      /^Outcome unknown|unclear which rule|which appeared late/.test(message),
    );
    if (!isOpen) return;
    const { world } = this;
    await world.time.run(world.time.sleep(LIST_LAG_MS + 50_000));
    for (const { type, name, inputs } of declarationsOf(world.program)) {
      if (type !== 'IpPolicyRule' || world.engine.state.some((entry) => entry.name === name)) continue;
      const [mine, ...others] = this.unmanaged().filter((thing) => isRule(thing, inputs));
      for (const { id = '' } of others) world.account.remove(id);
      if (mine?.id === undefined) continue;
      world.timeline.note(() => `the operator imports ${String(mine.id)} as ${name}`);
      const entry = {
        type,
        name,
        id: mine.id,
        inputs,
        outputs: {
          ...inputs,
          account: world.newProcess().host.key.mark,
          [PROVIDER_KEY]: providerReference(type),
        },
        initErrors: [],
      };
      world.engine.state = [...world.engine.state, entry];
    }
    const isReplacementOpen = world.engine.state.some(({ isPendingReplacement }) => isPendingReplacement);
    if (isReplacementOpen) await this.removeUnrecorded();
  }

  /** Rules that may be older than a lost create are nobody's if neither a state nor others have them. */
  deleteDoubtful(message: string): void {
    const [, named = ''] = /may be older than the create: (.*)\. Delete it unless/.exec(message) ?? [];
    this.deleteUnmanaged(({ id = '' }) => named.split(', ').includes(id));
  }

  /** If a create is carried out twice on its way, the rule that refuses it is its own: no client can know. */
  noteRulesInTheWay(errors: Outcome['errors']): void {
    const named = errors.flatMap(({ message }) => [
      ...message.matchAll(/already has a rule for this CIDR: (ipr_[\w.~-]*\w)/g),
    ]);
    this.left.push(...named.map(([, id = '']) => id));
  }

  /** A warning names a twin and says what to do with it. */
  deleteNamedTwins(warnings: readonly string[]): void {
    const said = /which appeared late, looks like a duplicate\. Delete (ipr_[\w.~-]+) unless/;
    const twins = new Set(warnings.map((warning) => said.exec(warning)?.[1]));
    this.deleteUnmanaged(({ id = '' }) => twins.has(id));
  }

  /**
   * On a service that accepts duplicates, a create whose effect comes after its look-ups leaves a twin that no client can know
   * of, and so may a killed update of a set without a recovery after it (docs/reliability.md): a person has to see it on the
   * list.
   */
  deleteLateTwins(): void {
    this.deleteUnmanaged((thing) => this.world.isBeyondKnowledge(thing));
  }

  /** Our live objects that are in no state. */
  unmanaged(): Thing[] {
    const { account, engine } = this.world;
    const known = new Set([
      ...account.foreign.map(({ id }) => id),
      // What was deleted to be replaced is not there any more, unless a killed plugin has made it anew.
      ...engine.state
        .filter(({ isPendingReplacement }) => isPendingReplacement !== true)
        .flatMap(heldThings)
        .map(({ id = '' }) => id),
    ]);
    return liveThings(account.state).filter(({ id = '' }) => !known.has(id));
  }

  /** `pulumi refresh`, as objects that were being deleted are still in state; then what `drift` names as unmanaged is deleted. */
  private async removeUnrecorded(): Promise<void> {
    const { world } = this;
    world.network.weather = goodWeather(1);
    await world.time.run(world.engine.refresh());
    this.deleteUnmanaged(({ id = '' }) => id.startsWith('ipr_'));
  }

  private async settle(operations: readonly PendingOperation[]): Promise<void> {
    const { world } = this;
    const { engine, time } = world;
    world.network.weather = goodWeather(2);
    const past = { stackBeganAt: this.stackBeganAt, successes: this.successes };
    const wreck = { entries: engine.state, operations, past, nowMs: time.epochMs() };
    const judged = await time.run(judge(wreck, world.newProcess().host.key));
    for (const { operation, verdict } of judged) {
      world.timeline.note(
        () => `recover: ${operation.type} ${operation.resource.urn}: ${JSON.stringify(verdict)}`,
      );
    }
    const refused = judged.flatMap(({ verdict }) => (verdict.kind === 'refuse' ? verdict.candidates : []));
    if (refused.length > 0) {
      this.deleteUnmanaged(({ id = '' }) => refused.some((candidate) => candidate.split(' ').includes(id)));
      return;
    }
    const { entries, toRefresh } = settle(wreck, judged);
    engine.state = entries;
    engine.pending = [];
    if (toRefresh.length === 0) return;
    const { errors } = await time.run(engine.refresh({ targets: toRefresh }));
    requireInvariant(errors.length === 0, 'I4', () => `recover: ${errors.map(String).join(' | ')}`);
  }

  /**
   * Named objects were left to the next `up`: those that the program no longer declares are nobody's then, and neither are
   * twins of managed ones. Nor are modules that a killed plugin has made: the service has no list of them, so a person looks at
   * the edges.
   */
  deleteWhatWasLeft(): void {
    const places = new Set(declaredThings(this.world.program).map(({ id }) => id));
    if (this.wasPluginKilled)
      this.deleteUnmanaged(({ id = '' }) => !id.startsWith('ipr_') && !places.has(id));
    const declared = new Set(declaredThings(this.world.program).map(({ effect }) => effect));
    const held = new Set(this.world.engine.state.flatMap(heldThings).map(({ effect }) => effect));
    this.deleteUnmanaged(
      ({ id = '', effect }) =>
        (!declared.has(effect) || held.has(effect)) &&
        this.left.some((candidate) => candidate.startsWith(id)),
    );
  }

  /** The operator deletes named objects that are in no state. */
  private deleteUnmanaged(isUnwanted: (thing: Thing) => boolean): void {
    const { world } = this;
    for (const { id = '' } of this.unmanaged().filter(isUnwanted)) {
      world.timeline.note(() => `the operator deletes ${id}`);
      world.account.remove(id);
    }
  }
}

const isRule = ({ effect }: Thing, { ipPolicyId, action, cidr }: Bag): boolean =>
  effect === `${String(ipPolicyId)} ${String(action)} ${String(cidr)}`;
