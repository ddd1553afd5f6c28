import { hasEnded } from 'pulumi-edge-policy/internal/values/until';
import { type AddressBounds, type BoundedChange, isSurelyEmpty } from '../access/bounds';
import type { PolicyChange } from '../access/policy-change';
import type { PolicySide } from '../access/policy-side';
import { isProvedUnchanged, type SubjectAccess } from '../access/subject-access';
import { explainAddress } from '../explain/explain-address';
import type { Explainer } from '../explain/explainer';
import type { Client, Subject } from '../explain/question';
import type { Assumptions } from '../findings/assumptions';
import type { Sentence } from '../text/sentence';
import { isRouteAccess, moverOf } from '../user-agents/route-access';
import { type Moves, movesByAddress, movesByAgent } from './client-moves';
import { answerForClient } from './shown-clients';
import type { LogClients } from './traffic-log';

export interface Phase {
  /** Absent for the apply. */
  readonly atMs?: number;
  readonly moves: Moves;
  readonly reasonsOf: (
    client: Client & Required<Pick<Client, 'network'>>,
  ) => Readonly<Record<'before' | 'after', Sentence>>;
}

export interface Replayable extends Subject {
  readonly isChanged: boolean;
  /** Whether anybody at all may lose access. */
  readonly mayLose: boolean;
  /** In the order of time. */
  readonly phasesOf: (clients: LogClients) => readonly Phase[];
}

export function replayablePolicy(policy: PolicyChange, { ipModel: model }: Assumptions): Replayable {
  const { access, moments, policyId: subject } = policy;
  const all: readonly Pick<BoundedChange, 'gained' | 'lost'>[] = [access, ...moments];
  const reasonsAt =
    (bounds: Pick<BoundedChange, 'before' | 'after'>, atMs?: number): Phase['reasonsOf'] =>
    ({ network }) => {
      const reason = (side: PolicySide, of: AddressBounds) =>
        explainAddress(sideAt(side, atMs), network, { model, bounds: of }).because;
      return { before: reason(policy.before, bounds.before), after: reason(policy.after, bounds.after) };
    };
  return {
    ...{ kind: 'policy', subject },
    isChanged: all.some(({ gained, lost }) => !isSurelyEmpty(gained) || !isSurelyEmpty(lost)),
    mayLose: all.some(({ lost }) => !isSurelyEmpty(lost)),
    phasesOf: (clients) => [
      { moves: movesByAddress(clients, access), reasonsOf: reasonsAt(access) },
      ...moments.map((moment) => ({
        atMs: moment.atMs,
        moves: movesByAddress(clients, moment),
        reasonsOf: reasonsAt(moment, moment.atMs),
      })),
    ],
  };
}

const sideAt = (side: PolicySide, atMs: number | undefined): PolicySide =>
  atMs === undefined
    ? side
    : {
        ...side,
        rules: side.rules.filter(({ until }) => until === undefined || !hasEnded(until, atMs)),
      };

export function replayableModule(
  access: SubjectAccess,
  explain: Readonly<Record<'before' | 'after', Explainer>>,
  { userAgentModel }: Assumptions,
): Replayable {
  const { kind, subject } = access;
  const movesOf = (clients: LogClients): Moves => {
    if (access.of === 'addresses') return movesByAddress(clients, access);
    return isRouteAccess(access) ? movesByAgent(clients, moverOf(access, userAgentModel)) : new Map();
  };
  return {
    ...{ kind, subject },
    isChanged: !isProvedUnchanged(access),
    mayLose: access.of === 'addresses' ? !isSurelyEmpty(access.lost) : access.lost.extent !== 'none',
    phasesOf: (clients) => [
      {
        moves: movesOf(clients),
        reasonsOf: (client) => ({
          before: answerForClient(explain.before, { kind, subject, ...client }).because,
          after: answerForClient(explain.after, { kind, subject, ...client }).because,
        }),
      },
    ],
  };
}
