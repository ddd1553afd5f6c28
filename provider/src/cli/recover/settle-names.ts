import type { Deployment } from '../pulumi/deployment';
import { isInState } from './expected-rules';
import type { JudgedOperation, Verdict } from './judged-operation';

type Taken = JudgedOperation & { readonly verdict: Verdict & { readonly kind: 'take' } };

const isTaken = (judged: JudgedOperation): judged is Taken => judged.verdict.kind === 'take';

/**
 * A name in the state belongs to one object. If the name has one already, or if several creates of one resource have happened,
 * the others are duplicates, and only the operator may decide about them: if they were brought in under the same name, the next
 * `up` would delete one.
 */
export function settleNames(judged: readonly JudgedOperation[], deployment: Deployment): JudgedOperation[] {
  const chosen = new Map<string, Taken>();
  for (const one of judged.filter(isTaken)) {
    const { urn } = one.operation.resource;
    const other = chosen.get(urn);
    // The operator's decision comes first, then the later of two creates.
    if (other?.verdict.isToldSo !== true || one.verdict.isToldSo === true) chosen.set(urn, one);
  }
  return judged.map((one) => {
    if (!isTaken(one)) return one;
    if (isInState(one.operation, deployment))
      return refused(
        one,
        'the state already holds this resource, and the service has an object from an earlier create: a duplicate?',
      );
    return chosen.get(one.operation.resource.urn) === one
      ? one
      : refused(
          one,
          'another create of this resource also happened, and its object is taken instead: a duplicate',
        );
  });
}

const refused = ({ operation, verdict }: Taken, why: string): JudgedOperation => ({
  operation,
  verdict: { kind: 'refuse', why, candidates: verdict.live },
});
