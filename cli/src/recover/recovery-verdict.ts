import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { count } from '../command/text';
import type { StateResource } from '../pulumi/deployment';
import { type Candidate, isHidden } from './expected-objects';
import type { Outcome } from './judge-creates';
import type { Operation } from './interrupted-operations';
import { outputsOfUpdate, type Result, resultOf } from './results';

/** What became of an interrupted operation, and what to do about it. */
export type Verdict = { readonly why: string } & (
  | { readonly kind: 'clear' }
  /** It happened: the resource is brought into the state. */
  | ({ readonly kind: 'take'; readonly found: readonly string[] } & Result)
  /** The resource is in state and is read again; if outputs are given, with these: it then knows which other objects are its own. */
  | { readonly kind: 'refresh'; readonly outputs?: Result['outputs'] }
  | {
      readonly kind: 'refuse';
      /** Live objects that the operation may have created, in words. */
      readonly candidates: readonly string[];
      /** Objects that only lack a record, all of which may be taken. */
      readonly takeIds?: readonly string[];
    }
);

/** An operation with its verdict. */
export interface JudgedOperation {
  readonly operation: Operation;
  readonly verdict: Verdict;
}

const MOST_NAMED = 10;

/** The verdict on a create, or on the update of a set, from what became of each object that it should have created. */
export function verdictOn(
  operation: Operation,
  outcomes: readonly Outcome[],
  entry: StateResource | undefined,
): Verdict {
  const found = outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.candidate] : []));
  const doubts = outcomes.filter((outcome) => outcome.kind === 'doubt');
  if (doubts.length > 0) return refusal(operation, doubts);
  if (operation.type === 'updating') {
    return found.length === 0
      ? { kind: 'refresh', why: 'read again from the service' }
      : {
          kind: 'refresh',
          why: `${count(found.length, 'rule')} of it recorded, then it is read again from the service`,
          outputs: outputsOfUpdate(operation, entry, found),
        };
  }
  if (found.length === 0)
    return { kind: 'clear', why: 'never happened: there is no unmanaged object in its place' };
  const isToldSo = outcomes.some((outcome) => outcome.kind === 'found' && outcome.isToldSo);
  const part = outcomes.length > 1 ? `: ${found.length} of ${outcomes.length} rules exist` : '';
  const why = (isToldSo ? 'taken over as you asked' : 'happened') + part;
  return { kind: 'take', why, found: inWords(found), ...resultOf(operation, found) };
}

function refusal(operation: Operation, doubts: readonly (Outcome & { readonly kind: 'doubt' })[]): Verdict {
  const takeIds = doubts.flatMap(({ isUnproven, candidates }) =>
    isUnproven === true ? candidates.map(({ id }) => id) : [],
  );
  const whys = [...new Set(doubts.map(({ why }) => why))];
  return {
    kind: 'refuse',
    why: isHidden(operation) ? SECRET_INPUTS : whys.join('; '),
    candidates: inWords(doubts.flatMap(({ candidates }) => candidates)),
    ...(takeIds.length > 0 && { takeIds }),
  };
}

const inWords = (candidates: readonly Candidate[]): string[] =>
  candidates.slice(0, MOST_NAMED).map((candidate) => candidate.inWords);

const SECRET_INPUTS = `its inputs are secret, so nothing can be compared with them: adopt its object with "${COMMAND_LINE} import --name"`;
