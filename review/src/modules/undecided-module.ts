import { type AddressBounds, exactly, independently, isExact } from '../access/bounds';
import { everything } from '../access/public-space';
import { type AddressAccess, isProvedUnchanged } from '../access/subject-access';
import { type Finding, finding, type Where, whereOfModule } from '../findings/finding';
import { type Pairing, pairsOf } from '../model/by-subject';
import type { ModuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import { atOwnPlaces, declaredValues, nounOf, parentOf } from '../model/read-modules';
import { keptOrigins } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import type { ModuleType } from '../preview/resource-type';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import { emptyCidrSet } from '../access/cidr-set';
import type { ModuleEvaluator } from './evaluator';

/**
 * The evaluator of modules that restrict an edge or a route in a way that the review does not know yet. A module that is off, or
 * absent, keeps nobody out; any other change is not decided.
 */
export const undecidedModule = (type: ModuleType): ModuleEvaluator => ({
  evaluate(stack) {
    const found = [stack, atOwnPlaces(stack, type)].flatMap((each) =>
      accessesOf(each, type).map((access) => ({ access, each })),
    );
    return {
      accesses: found.map(({ access }) => access),
      changeFindings: () =>
        found
          .filter(({ access }) => !isProvedUnchanged(access))
          .map(({ access: { subject }, each }) => notDecided(type, whereOfModule(each, type, subject))),
    };
  },
  stateFindings: () => [],
});

function accessesOf(stack: StackChange, type: ModuleType): AddressAccess[] {
  const [before, after] = [stack.before.modules[type], stack.after.modules[type]];
  const kept = keptOrigins(stack.changes);
  const inForce = (side: 'before' | 'after', { [side]: declared }: Pairing<ModuleDeclaration>): string[] => {
    const contents = [...declared, ...stack[side].modules[type].unplaced].map((module) =>
      contentOf(module, kept.has(module.origin) ? '' : side),
    );
    return [...new Set(declared.length === 0 ? [OPEN, ...contents] : contents)].sort();
  };
  return pairsOf(before, after).map((pairing) => {
    const [old, wanted] = [inForce('before', pairing), inForce('after', pairing)];
    const [left, right] = [boundsOf(old), boundsOf(wanted)];
    const isSame = JSON.stringify(old) === JSON.stringify(wanted);
    const nobody = exactly(emptyCidrSet);
    return {
      of: 'addresses',
      kind: parentOf(type),
      subject: pairing.subject,
      ...(isSame ? { before: left, after: right, gained: nobody, lost: nobody } : independently(left, right)),
      doubts: [left, right].every(isExact)
        ? []
        : [{ reason: say`this review cannot judge the ${noun(type)} of ${foreign(pairing.subject)}` }],
    };
  });
}

/** The content of an object without such a module. */
const OPEN = 'open';

/** Equal contents have the same effect; a hidden content is only known to be the same if the engine says that nothing changes. */
function contentOf(module: ModuleDeclaration, side: string): string {
  if (valueOf(module.isEnabled) === false) return OPEN;
  const values = declaredValues(module).filter(([, value]) => value !== module.subject);
  return JSON.stringify(
    values.map(([name, value]) => (value.isKnown ? [name, value.value] : [name, module.origin.urn, side])),
  );
}

const boundsOf = (contents: readonly string[]): AddressBounds =>
  contents.every((content) => content === OPEN)
    ? exactly(everything)
    : { surely: emptyCidrSet, possibly: everything };

const noun = (type: ModuleType): Sentence => trusted(nounOf(type));

const notDecided = (type: ModuleType, where: Where): Finding =>
  finding('not-decidable', {
    where,
    reason: say`The ${noun(type)} of ${foreign(where.subject ?? '')} changes, and this review cannot judge whom it lets in.`,
  });
