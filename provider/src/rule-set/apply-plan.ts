import type { Deadline } from '../api/deadline';
import { isAlreadyExists, isAmbiguous } from '../api/errors';
import { changeBetween, differingFields, type LiveRule, type Rule } from '../rule/rule';
import { ruleKey } from '../run/object-key';
import type { Owner } from '../run/ownership';
import { Blocked } from '../run/patience';
import { deleteUnlessOwned } from '../run/delete-unless-owned';
import { createRule } from '../run/lost-create';
import { changeRule, findRule, removeRule } from '../run/presence';
import type { RunContext } from '../run/ledger';
import { writeVerified } from '../run/verified-write';
import type { Change } from './comparison';
import {
  concernsAllRules,
  denyStays,
  failureSentence,
  goneMeanwhile,
  notAsSent,
  RuleNumbers,
  STOPPED_EARLY,
} from './failures';
import { requestCount, type Phase, type Step } from './plan-changes';
import { Progress } from './progress';
import { Semaphore } from './semaphore';
import { NetworkIndex } from './network-index';

/** After so many failures or lost answers, a run gives up. */
const MOST_FAILURES = 100;

/** A plan, and the state that it starts from. */
export interface Application {
  readonly context: RunContext;
  /** The call that works on the set. */
  readonly owner: Owner;
  readonly ipPolicyId: string;
  /** When the set last created a rule (RFC 3339): a young rule may not be visible everywhere yet. */
  readonly changedAt: string | undefined;
  readonly plan: readonly Phase[];
  /** The rules that the plan leads to. */
  readonly declared: readonly Rule[];
  readonly live: readonly LiveRule[];
}

/** A step that is blocked by a rule of another resource, which may be about to be deleted. */
interface BlockedStep {
  /** Makes the message to print if that rule stays. */
  readonly explain: () => Promise<string>;
  readonly networks: Blocked['networks'];
}

/** The live rules after a plan was carried out as far as possible. */
export interface Applied {
  readonly live: readonly LiveRule[];
  /** One sentence per failure; empty if everything was done. */
  readonly failures: readonly string[];
  readonly doneCount: number;
  readonly totalCount: number;
  /** Whether rules are new to the set: created, or taken over. They may be young. */
  readonly hasNew: boolean;
  /** Whether the service may hold other rules than `live`, as an answer was lost for good. */
  readonly isUnsettled: boolean;
  /** The rules whose creates were lost for good. */
  readonly lost: readonly Rule[];
  readonly blocked: readonly BlockedStep[];
  /** How many rules were not deleted, as other resources own them by now. */
  readonly keptCount: number;
}

/**
 * Carries out a plan, phase after phase. A phase with a failure is the last one: each phase relies on those before it, and
 * going on could open the policy. Never throws for anything that the service does.
 */
export async function applyPlan(application: Application): Promise<Applied> {
  const run = new Run(application);
  try {
    for (const phase of application.plan) {
      await run.carryOut(phase);
      if (!run.isGoingWell) break;
    }
  } finally {
    run.progress.stop();
  }
  return run.result();
}

class Run {
  readonly progress: Progress;
  private readonly live: Map<string, LiveRule>;
  private readonly failures: string[] = [];
  private readonly deadline: Deadline;
  private readonly permits: Semaphore;
  private readonly numbers: RuleNumbers;
  private total: number;
  private done = 0;
  private lostCount = 0;
  private readonly lost: Rule[] = [];
  private readonly blocked: BlockedStep[] = [];
  /** Allows that left the set and stay live, as other resources have taken them over in this run. */
  private readonly givenAllows: LiveRule[] = [];
  private keptCount = 0;
  private isStopped = false;
  private isUnsettled = false;
  private hasNew = false;

  constructor(private readonly application: Application) {
    const { context, plan, declared, live, ipPolicyId } = application;
    this.numbers = new RuleNumbers(declared);
    this.live = new Map(live.map((rule) => [rule.id, rule]));
    this.deadline = context.client.startOperation();
    this.permits = new Semaphore(context.client.maxConcurrency);
    this.total = requestCount(plan);
    const title = `IP policy rule set of ${ipPolicyId}`;
    this.progress = new Progress({ client: context.client, warn: context.warn, title, total: this.total });
  }

  get isGoingWell(): boolean {
    return this.failures.length + this.blocked.length === 0 && !this.isStopped;
  }

  result(): Applied {
    const hasNoReason = this.isStopped && this.failures.length + this.blocked.length === 0;
    return {
      live: [...this.live.values()],
      failures: hasNoReason ? [STOPPED_EARLY] : this.failures,
      doneCount: this.done,
      totalCount: this.total,
      hasNew: this.hasNew,
      isUnsettled: this.isUnsettled,
      lost: this.lost,
      blocked: this.blocked,
      keptCount: this.keptCount,
    };
  }

  async carryOut(phase: Phase): Promise<void> {
    const finished: Promise<void>[] = [];
    for (const step of phase) {
      const release = await this.permits.acquire();
      if (this.isStopped) {
        release();
        break;
      }
      finished.push(this.attempt(step, release).finally(release));
    }
    await Promise.all(finished);
  }

  /** @param release Lets the next step begin: a look-up after a lost answer holds up no other step. */
  private async attempt(step: Step, release: () => void): Promise<void> {
    try {
      if (step.kind === 'create') await this.create(step.rule, release);
      else if (step.kind === 'update') await this.updateOrReplace(step, release);
      else await this.delete(step.rule);
      if (step.kind === 'flip') await this.create(step.becomes, release);
    } catch (error) {
      if (error instanceof Blocked)
        this.blocked.push({
          explain: async () => failureSentence(step, await error.explain(), this.numbers),
          networks: error.networks,
        });
      else this.failures.push(failureSentence(step, error, this.numbers));
      const failed = this.failures.length + this.blocked.length;
      if (concernsAllRules(error) || failed >= MOST_FAILURES) this.isStopped = true;
    }
  }

  private async create(rule: Rule, release: () => void): Promise<void> {
    const { context, ipPolicyId, owner } = this.application;
    const answer = { isLost: false };
    const onAnswered = (outcome: 'answered' | 'lost'): void => {
      release();
      if (outcome === 'answered') return;
      answer.isLost = true;
      this.lostCount += 1;
      if (this.lostCount >= MOST_FAILURES) this.isStopped = true;
    };
    const wanted = { ...rule, ipPolicyId };
    const name = this.numbers.nameOf(rule);
    try {
      const created = await createRule({ context, owner, wanted, name, deadline: this.deadline, onAnswered });
      this.hasNew = true;
      this.settle(created);
      const differing = differingFields(created, rule);
      if (differing.length > 0) throw notAsSent(created.id, differing);
    } catch (error) {
      if (answer.isLost) {
        this.isUnsettled = true;
        this.lost.push(rule);
      }
      throw error;
    }
  }

  /**
   * An update to another network. If the service refuses it because another rule has the network, a create finds out whose that
   * rule is, and the rule itself is deleted. If another resource now owns the rule, or if it is a deny that has to stay, it
   * stays where it is, and a new rule is created.
   */
  private async updateOrReplace(change: Change, release: () => void): Promise<void> {
    if (isMove(change) && !this.mayMove(change.rule)) return this.replace(change, release);
    try {
      await this.update(change);
    } catch (error) {
      if (!isMove(change) || !isAlreadyExists(error)) throw error;
      await this.replace(change, release);
    }
  }

  private async replace({ rule, becomes }: Change, release: () => void): Promise<void> {
    this.total += 1;
    await this.create(becomes, release);
    await this.delete(rule);
  }

  private mayMove(rule: LiveRule): boolean {
    const { context, owner } = this.application;
    const { ownership } = context.ledger;
    return !this.mustStay(rule) && ownership.take([ruleKey(rule.id)], owner).outcome === 'taken';
  }

  /**
   * Whether a deny lies over an allow that another resource has just taken over. That resource may be about to create the deny,
   * too; until then this rule keeps the addresses out.
   */
  private mustStay({ action, cidr }: LiveRule): boolean {
    if (action === 'allow' || this.givenAllows.length === 0) return false;
    return new NetworkIndex(this.givenAllows).overlapping(cidr, 1).length > 0;
  }

  private async update({ rule, becomes }: Change): Promise<void> {
    const { context, ipPolicyId, changedAt } = this.application;
    const { client } = context;
    const existing = { client, id: rule.id, ipPolicyId, deadline: this.deadline, createdAt: changedAt };
    const outcome = await writeVerified({
      write: async () => {
        const live = await changeRule(existing, changeBetween(rule, becomes));
        if (live !== undefined) return live;
        this.live.delete(rule.id);
        throw goneMeanwhile(rule.id);
      },
      read: () => findRule(existing),
      differing: (live) => differingFields(live, becomes),
    });
    if (outcome.isWritten) {
      this.settle(outcome.live);
      return;
    }
    // The effect may still come, whatever is seen now.
    this.isUnsettled = true;
    if (outcome.live !== undefined) this.live.set(rule.id, outcome.live);
    throw outcome.cause;
  }

  private async delete(rule: LiveRule): Promise<void> {
    const { context, owner, changedAt } = this.application;
    const { client, ledger } = context;
    const key = ruleKey(rule.id);
    const existing = { client, id: rule.id, createdAt: changedAt, deadline: this.deadline };
    if (this.mustStay(rule) && !ledger.ownership.isOwnedByOther(key, owner)) throw denyStays(rule.id);
    try {
      const outcome = await deleteUnlessOwned(context, { key, owner }, (isLeaving) =>
        removeRule({ ...existing, isLeaving }),
      );
      if (outcome === 'kept') {
        this.keptCount += 1;
        if (rule.action === 'allow' && ledger.ownership.isNewlyOwned(key, owner)) this.givenAllows.push(rule);
      }
    } catch (error) {
      if (isAmbiguous(error)) this.isUnsettled = true;
      throw error;
    }
    this.live.delete(rule.id);
    this.countOne();
  }

  private settle(rule: LiveRule): LiveRule {
    this.live.set(rule.id, rule);
    this.countOne();
    return rule;
  }

  private countOne(): void {
    this.done += 1;
    this.progress.step();
    this.deadline.renew();
  }
}

const isMove = ({ rule, becomes }: Change): boolean => rule.cidr !== becomes.cidr;
