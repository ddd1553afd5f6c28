// Each way in which an object of the state can end beside its `deletedWith`: in a policy of its own, two rules of which the
// second is deleted with the first.
import { policyId } from '../../support/ids';
import { literal } from '../../support/programs';
import type { Program } from '../../support/stack-options';
import { type Change, change, type idsIn, programOf } from './changes';

/** What becomes of the rule that another one is deleted with. */
const TARGETS: Readonly<Record<string, Change>> = {
  leaves: change(`one('t', A)`, ``),
  'is retained and leaves': change(`one('t', A, {}, { retainOnDelete: true })`, ``),
  stays: change(`one('t', A)`, `one('t', A)`),
  'is updated': change(`one('t', A)`, `one('t', A, { description: 'new' })`),
  'is replaced': change(`one('t', A)`, `one('t', A, DENY)`),
  'is replaced, created first': change(`one('t', A, {}, FIRST)`, `one('t', A, DENY, FIRST)`),
  'is replaced by force': change(
    `one('t', A, {}, { replacementTrigger: 1 })`,
    `one('t', A, {}, { replacementTrigger: 2 })`,
  ),
  'is looked up': change(`one('t', A)`, `get(IpPolicyRule, 't', idOf('t'))`),
  'is looked up by an unknown id': change(`one('t', A)`, `get(IpPolicyRule, 't', later(idOf('t')))`),
  'is renamed': change(`one('t', A)`, `one('renamed', A, {}, was('t'))`),
  'is renamed and replaced': change(`one('t', A)`, `one('renamed', A, DENY, was('t'))`),
  'is renamed and replaced, created first': change(
    `one('t', A, {}, FIRST)`,
    `one('renamed', A, DENY, { ...FIRST, ...was('t') })`,
  ),
  'has a leftover, and stays': change(
    `one('t', A, {}, FIRST)`,
    `one('t', A, DENY, FIRST)`,
    `one('t', A, DENY, FIRST)`,
  ),
  'has a leftover, and leaves': change(`one('t', A, {}, FIRST)`, ``, `one('t', A, DENY, FIRST)`),
};

const DEPENDENTS: Readonly<Record<string, Change>> = {
  leaves: change(`one('d', B, {}, { deletedWith })`, ``),
  'is retained and leaves': change(`one('d', B, {}, { deletedWith, retainOnDelete: true })`, ``),
  stays: change(`one('d', B, {}, { deletedWith })`, `one('d', B, {}, { deletedWith })`),
  'is narrowed': change(`one('d', B, {}, { deletedWith })`, `one('d', '10.0.2.128/25', {}, { deletedWith })`),
  'is replaced': change(`one('d', B, {}, { deletedWith })`, `one('d', B, DENY, { deletedWith })`),
  'is replaced, created first': change(
    `one('d', B, {}, { deletedWith, ...FIRST })`,
    `one('d', B, DENY, { deletedWith, ...FIRST })`,
  ),
  'is looked up by another id': change(
    `one('d', B, {}, { deletedWith })`,
    `get(IpPolicyRule, 'd', ids.other)`,
  ),
  'is looked up by an unknown id': change(
    `one('d', B, {}, { deletedWith })`,
    `get(IpPolicyRule, 'd', later(idOf('d')))`,
  ),
  'is looked up by an unknown id of another': change(
    `one('d', B, {}, { deletedWith })`,
    `get(IpPolicyRule, 'd', later(ids.other))`,
  ),
  'has a leftover, and stays': change(
    `one('d', B, {}, { deletedWith, ...FIRST })`,
    `one('d', B, DENY, { deletedWith, ...FIRST })`,
    `one('d', B, DENY, { deletedWith, ...FIRST })`,
  ),
};

/** Versions differ in what happens with these, or the id of a look-up decides. */
const OPEN = ['is replaced', 'is replaced by force', 'is renamed and replaced', 'is looked up'];

export const CASES = Object.entries(TARGETS).flatMap(([target, first]) =>
  Object.entries(DEPENDENTS).map(([dependent, second]) => ({
    ...{ target, dependent },
    textOf: (phase: keyof Change): string =>
      `const deletedWith = ${first[phase] === '' ? 'undefined' : first[phase]}; ${second[phase]}`,
    /** Whether the fate of an object may be not known. */
    isOpen: OPEN.includes(target) || [target, dependent].some((kind) => kind.includes('unknown')),
  })),
);

/** The program of all cases; a new rule has an id that only the run makes known. */
export const casesProgram = (phase: keyof Change, ids: ReturnType<typeof idsIn>): Program =>
  programOf(
    CASES.map(({ textOf }) => textOf(phase)),
    `
const ids = ${literal(ids)};
const rule = { ipPolicyId: '${policyId}', cidr: '192.0.2.0/24', action: 'allow' };
const made = new IpPolicyRule('${phase === 'after' ? 'made' : 'other'}', rule, { retainOnDelete: true });
const later = (id) => made.id.apply(() => id);`,
  );
