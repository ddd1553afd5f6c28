import { isAmbiguous } from '../api/errors';
import type { Deadline } from '../api/clock';
import { inLanes } from '../api/lanes';
import { changeBetween, differingFields, type LiveRule, type Rule } from '../rule/rule';
import { RuleInTheWay } from '../run/create-failures';
import { deleteUnlessOwned } from '../run/claims';
import type { RunContext } from '../run/run-record';
import { createRule } from '../run/lost-create';
import type { EngineCall } from '../run/ownership';
import { Blocked } from '../run/waiting';
import { changeRule, findRule, removeRule, type SoughtRule } from '../presence/presence';
import { writeVerified } from '../presence/verified-write';
import { type Cidr, networkIn, overlaps } from '../values/cidr';
import {
  concernsAllRules,
  denyStays,
  failureSentence,
  goneMeanwhile,
  notAsSent,
  STOPPED_EARLY,
} from './failures';
import { type Phase, planChanges, requestCount, type RuleStep } from './plan-changes';
import { reportProgress } from './progress';

/** After so many failures or lost answers, nothing more starts. */
const MOST_FAILURES = 100;

export interface SetAtWork {
  readonly context: RunContext;
  readonly call: EngineCall;
  readonly ipPolicyId: string;
  /** The rules that the set should have. Empty if it is being deleted. */
  readonly declared: readonly Rule[];
  /** When the set last created or took over a rule (RFC 3339): a 404 or a list proves little about young rules. */
  readonly changedAt: string | undefined;
}

/** A step blocked by a rule of another resource, which may be about to be deleted. */
interface BlockedStep {
  readonly step: RuleStep;
  readonly by: Blocked;
}

export class SetRun {
  readonly title: string;
  /** When the work began, in milliseconds of our monotonic clock. Any effect came later. */
  readonly startedAtMs: number;
  doneCount = 0;
  totalCount = 0;
  /** One sentence per failure of the latest attempt. */
  failures: string[] = [];
  /** What to do about failures, said once for all that are alike. */
  readonly advice = new Set<string>();
  private blocked: BlockedStep[] = [];
  /** Whether the set has created or taken over rules, which may be young. */
  hasNew = false;
  /** Whether an answer was lost for good, so that the service may hold rules other than `live`. */
  hasLostAnswers = false;
  /** The rules whose creates were lost for good. */
  readonly lostCreates: Rule[] = [];
  private rules = new Map<string, LiveRule>();
  private readonly deadline: Deadline;
  /** Failures and lost answers of the latest attempt. */
  private troubleCount = 0;
  private isStopped = false;
  /** Allows that left the set and stay live, as other resources have taken them over in this run. */
  private readonly givenAllows: Cidr[] = [];

  constructor(private readonly set: SetAtWork) {
    this.title = `IP policy rule set of ${set.ipPolicyId}`;
    const { client } = set.context;
    this.startedAtMs = client.clock.monotonicMs();
    this.deadline = client.startBulkWork();
  }

  /** The live rules of the set, as far as its requests have shown them. */
  get live(): readonly LiveRule[] {
    return [...this.rules.values()];
  }

  /** A phase with a failure is the last one: each relies on those before it, and continuing could open the policy. Never throws. */
  async attempt(live: readonly LiveRule[]): Promise<void> {
    const plan = planChanges(live, this.set.declared);
    this.rules = new Map(live.map((rule) => [rule.id, rule]));
    this.totalCount = this.doneCount + requestCount(plan);
    this.failures = [];
    this.blocked = [];
    this.troubleCount = 0;
    this.isStopped = false;
    this.deadline.noteProgress();
    const { client, warn } = this.set.context;
    const endReports = reportProgress(client.clock, warn, this);
    for (const phase of plan) {
      await this.carryOut(phase);
      if (this.isOver) break;
    }
    endReports();
    if (this.isOver && !this.hasFailed) this.failures.push(STOPPED_EARLY);
  }

  /** The networks of the blocked steps, if nothing else has failed. Waiting may help. */
  get blockedNetworks(): readonly string[] {
    return this.failures.length > 0 ? [] : this.blocked.flatMap(({ by }) => by.networks);
  }

  async failBlocked(): Promise<void> {
    const causes = await Promise.all(this.blocked.map(({ by }) => by.explain()));
    for (const [index, { step }] of this.blocked.entries()) this.fail(step, causes[index]);
    this.blocked = [];
  }

  private fail(step: RuleStep, cause: unknown): void {
    if (cause instanceof RuleInTheWay) for (const line of cause.advice) this.advice.add(line);
    this.failures.push(failureSentence(step, cause));
  }

  private get hasFailed(): boolean {
    return this.failures.length + this.blocked.length > 0;
  }

  private get isOver(): boolean {
    return this.isStopped || this.hasFailed;
  }

  private async carryOut(phase: Phase): Promise<void> {
    await inLanes(phase, this.set.context.client.maxConcurrency, async (step) => {
      if (!this.isStopped) await this.carryOutStep(step);
    });
  }

  private async carryOutStep(step: RuleStep): Promise<void> {
    try {
      if (step.kind === 'update') await this.update(step.rule, step.becomes);
      if (step.kind === 'delete' || step.kind === 'flip') await this.delete(step.rule);
      if (step.kind === 'create') await this.create(step.rule);
      if (step.kind === 'flip') await this.create(step.becomes);
    } catch (error) {
      if (error instanceof Blocked) this.blocked.push({ step, by: error });
      else this.fail(step, error);
      this.noteTrouble(concernsAllRules(error));
    }
  }

  private noteTrouble(concernsAll = false): void {
    this.troubleCount += 1;
    if (concernsAll || this.troubleCount >= MOST_FAILURES) this.isStopped = true;
  }

  private async create(rule: Rule): Promise<void> {
    const { context, ipPolicyId, call } = this.set;
    const answer = { isLost: false };
    const onLost = (isLost: boolean): void => {
      answer.isLost = isLost;
      if (isLost) this.noteTrouble();
    };
    try {
      const created = await createRule({
        context,
        call,
        wanted: { ...rule, ipPolicyId },
        isOfSet: true,
        deadline: this.deadline,
        onLost,
      });
      this.hasNew = true;
      this.note(created);
      const differing = differingFields(created, rule);
      if (differing.length > 0) throw notAsSent(created.id, differing);
    } catch (error) {
      if (answer.isLost) {
        this.hasLostAnswers = true;
        this.lostCreates.push(rule);
      }
      throw error;
    }
  }

  private async update(rule: LiveRule, becomes: Rule): Promise<void> {
    const existing = this.sought(rule);
    const outcome = await writeVerified({
      ...existing,
      write: async () => {
        const live = await changeRule(existing, changeBetween(rule, becomes), { wanted: becomes });
        if (live !== undefined) return live;
        this.rules.delete(rule.id);
        throw goneMeanwhile(rule.id);
      },
      read: () => findRule(existing),
      differing: (live) => differingFields(live, becomes),
    });
    if (outcome.isWritten) {
      this.note(outcome.live);
      return;
    }
    // The request may still take effect, whatever a look shows now.
    this.hasLostAnswers = true;
    if (outcome.live !== undefined) this.rules.set(rule.id, outcome.live);
    throw outcome.cause;
  }

  private async delete(rule: LiveRule): Promise<void> {
    const { context, call } = this.set;
    const { ownership } = context.record;
    if (this.mustStay(rule) && !ownership.isOwnedByOther(rule.id, call)) throw denyStays(rule.id);
    try {
      const outcome = await deleteUnlessOwned(context, { key: rule.id, call }, (isStillDue) =>
        removeRule({ ...this.sought(rule), isStillDue }),
      );
      const isGiven = outcome === 'kept' && ownership.isNewlyOwned(rule.id, call);
      const given = isGiven && rule.action === 'allow' ? networkIn(rule.cidr) : undefined;
      if (given) this.givenAllows.push(given);
    } catch (error) {
      if (isAmbiguous(error)) this.hasLostAnswers = true;
      throw error;
    }
    this.rules.delete(rule.id);
    this.countOne();
  }

  private sought({ id, createdAt }: LiveRule): SoughtRule {
    const { context, ipPolicyId, changedAt } = this.set;
    const { client } = context;
    return { client, id, ipPolicyId, deadline: this.deadline, createdAtLatest: createdAt ?? changedAt };
  }

  /** Keeps a deny over an allow that another resource has just taken over: it may be about to create the deny, too. */
  private mustStay({ action, cidr }: LiveRule): boolean {
    if (action !== 'deny' || this.givenAllows.length === 0) return false;
    const network = networkIn(cidr);
    return network !== undefined && this.givenAllows.some((allow) => overlaps(allow, network));
  }

  private note(rule: LiveRule): void {
    this.rules.set(rule.id, rule);
    this.countOne();
  }

  private countOne(): void {
    this.doneCount += 1;
    this.deadline.noteProgress();
  }
}
