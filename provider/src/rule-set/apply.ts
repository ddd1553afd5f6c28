import type { Deadline } from '../api/deadline';
import { isAlreadyExists, isAmbiguous } from '../api/errors';
import { changeBetween, differingFields, type LiveRule, type Rule } from '../rule/rule';
import { deleteUnlessHeld } from '../settle/give-up';
import { createRule } from '../settle/lost-create';
import { changeRule, findRule, removeRule } from '../settle/presence';
import type { RunContext } from '../settle/ledger';
import { writeVerified } from '../settle/verified-write';
import type { Change } from './comparison';
import {
  concernsAllRules,
  failureSentence,
  goneMeanwhile,
  notAsSent,
  RuleNumbers,
  STOPPED_EARLY,
} from './failures';
import { SharedLookUps } from './look-ups';
import { requestCount, type Phase, type Step } from './plan';
import { Progress } from './progress';
import { Semaphore } from './semaphore';
import { claimOf } from './claims';

/** A run that fails, or loses answers, this often would gain nothing by going on. */
const MOST_FAILURES = 100;

/** A plan, and what it starts from. */
export interface Application {
  readonly context: RunContext;
  /** The id of the set. */
  readonly holder: string;
  readonly ipPolicyId: string;
  /** When the set last created a rule (RFC 3339): the service may not know a young one everywhere yet. */
  readonly changedAt: string | undefined;
  readonly plan: readonly Phase[];
  /** The rules that the plan leads to. */
  readonly declared: readonly Rule[];
  readonly live: readonly LiveRule[];
}

/** What is live after a plan was carried out as far as possible. */
export interface Applied {
  readonly live: readonly LiveRule[];
  /** One sentence per failure; empty where all is done. */
  readonly failures: readonly string[];
  readonly doneCount: number;
  readonly totalCount: number;
  readonly hasCreated: boolean;
  /** Whether the service may hold something else than `live` says, as an answer was lost for good. */
  readonly isUnsettled: boolean;
  /** The rules whose creates were lost for good. */
  readonly lost: readonly Rule[];
}

/**
 * Carries out a plan, phase after phase. The first phase with a failure is the last: each relies on the ones before, and
 * going on could open the policy. Never throws for what the service does.
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

/** What belongs to one step only. */
interface Turn {
  readonly lookUps: SharedLookUps;
  /** Lets the next step begin. */
  readonly release: () => void;
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
  private isStopped = false;
  private isUnsettled = false;
  private hasCreated = false;

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
    return this.failures.length === 0 && !this.isStopped;
  }

  result(): Applied {
    const hasNoReason = this.isStopped && this.failures.length === 0;
    return {
      live: [...this.live.values()],
      failures: hasNoReason ? [STOPPED_EARLY] : this.failures,
      doneCount: this.done,
      totalCount: this.total,
      hasCreated: this.hasCreated,
      isUnsettled: this.isUnsettled,
      lost: this.lost,
    };
  }

  async carryOut(phase: Phase): Promise<void> {
    const lookUps = new SharedLookUps(this.application.context.client, phase.flatMap(networksCreated));
    const finished: Promise<void>[] = [];
    for (const step of phase) {
      const release = await this.permits.acquire();
      if (this.isStopped) {
        release();
        break;
      }
      finished.push(this.attempt(step, { lookUps, release }).finally(release));
    }
    await this.allPermitsFree();
    lookUps.open();
    await Promise.all(finished);
  }

  /** Every step has been answered, or waits for its look-up. */
  private async allPermitsFree(): Promise<void> {
    const releases = await Promise.all(
      Array.from({ length: this.permits.count }, () => this.permits.acquire()),
    );
    for (const release of releases) release();
  }

  private async attempt(step: Step, turn: Turn): Promise<void> {
    try {
      if (step.kind === 'create') await this.create(step.rule, turn);
      else if (step.kind === 'update') await this.updateOrReplace(step, turn);
      else await this.delete(step.rule);
      if (step.kind === 'flip') await this.create(step.becomes, turn);
    } catch (error) {
      this.failures.push(failureSentence(step, error, this.numbers));
      if (concernsAllRules(error) || this.failures.length >= MOST_FAILURES) this.isStopped = true;
    }
  }

  private async create(rule: Rule, { lookUps, release }: Turn): Promise<void> {
    const { context, ipPolicyId, holder } = this.application;
    const answer = { isLost: false };
    const onLost = (): void => {
      answer.isLost = true;
      this.lostCount += 1;
      if (this.lostCount >= MOST_FAILURES) this.isStopped = true;
    };
    const wanted = { ...rule, ipPolicyId };
    lookUps.watch(wanted, { onAnswered: release, onLost });
    try {
      const { ledger, warn, words } = context;
      const creation = {
        context: { client: lookUps.client, lookUps, ledger, warn, words },
        wanted,
        name: this.numbers.nameOf(rule),
        deadline: this.deadline,
      };
      const { rule: live, isTakenOver } = await createRule({ ...creation, holder });
      this.hasCreated = true;
      const created = this.settle(live);
      const differing = differingFields(created, rule);
      if (differing.length === 0) return;
      if (!isTakenOver) throw notAsSent(created.id, differing);
      await this.update({ rule: created, becomes: rule });
    } catch (error) {
      if (answer.isLost) {
        this.isUnsettled = true;
        this.lost.push(rule);
      }
      throw error;
    }
  }

  /**
   * An update to another network. Where the service refuses it beside the rule that is there, a create may take that one over,
   * or says whose it is; the rule itself is then deleted. One that another resource has come to stand for meanwhile stays where
   * it is, and a new rule is created.
   */
  private async updateOrReplace(change: Change, turn: Turn): Promise<void> {
    if (isMove(change) && this.isOthers(change.rule)) return this.replace(change, turn);
    try {
      await this.update(change);
    } catch (error) {
      if (!isMove(change) || !isAlreadyExists(error)) throw error;
      await this.replace(change, turn);
    }
  }

  private async replace({ rule, becomes }: Change, turn: Turn): Promise<void> {
    this.total += 1;
    await this.create(becomes, turn);
    await this.delete(rule);
  }

  /** Whether another resource stands for a rule that this set is about to give up. */
  private isOthers({ id }: LiveRule): boolean {
    const { context, holder } = this.application;
    return context.ledger.holdings.otherHolder({ id, holder }) !== undefined;
  }

  private async update({ rule, becomes }: Change): Promise<void> {
    const { context, ipPolicyId, changedAt } = this.application;
    // Where it moves to, another set may find it that takes over what is there.
    this.hold(rule);
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
      this.hold(this.settle(outcome.live));
      return;
    }
    // Whatever is seen now, the effect may still come.
    this.isUnsettled = true;
    if (outcome.live !== undefined) this.live.set(rule.id, outcome.live);
    throw outcome.cause;
  }

  private async delete(rule: LiveRule): Promise<void> {
    const { context, holder, ipPolicyId, changedAt } = this.application;
    const { client } = context;
    const existing = { client, id: rule.id, createdAt: changedAt, deadline: this.deadline };
    try {
      await deleteUnlessHeld(context, claimOf(holder, ipPolicyId, rule), (isLeaving) =>
        removeRule({ ...existing, isLeaving }),
      );
    } catch (error) {
      if (isAmbiguous(error)) this.isUnsettled = true;
      throw error;
    }
    this.live.delete(rule.id);
    this.countOne();
  }

  private hold(rule: LiveRule): void {
    const { context, holder, ipPolicyId } = this.application;
    context.ledger.holdings.hold(claimOf(holder, ipPolicyId, rule));
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

/** The networks of the rules that a step creates, or may have to. */
function networksCreated(step: Step): string[] {
  if (step.kind === 'create') return [step.rule.cidr];
  return step.kind === 'flip' || (step.kind === 'update' && isMove(step)) ? [step.becomes.cidr] : [];
}
