import type { FamilyChange, PolicyChange } from '../access/policy-change';
import { cidrSetOf, sizeOf } from '../access/cidr-set';
import { type AssertionResult, describeAssertion } from '../guards/assertion';
import { type Cidr, sizeOfCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { gainInWords, isSaidByRest } from '../access/public-space';
import { addressCount, familyName, sizeInFamily, sizeOfCidrs } from '../text/amounts';
import { count, foreign, say, type Sentence, trusted } from '../text/sentence';
import { type Block, type Limits, paragraph } from './blocks';
import type { Report } from './report';

/** A table cut to the limit, with a line that says how much is missing. */
export function table<Row>(
  head: readonly string[],
  rows: readonly Row[],
  { limits, write }: { readonly limits: Limits; readonly write: (row: Row) => readonly Sentence[] },
): Block[] {
  const shown = rows.slice(0, limits.rows).map(write);
  const left = rows.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : [{ kind: 'table' as const, head, rows: shown }]),
    ...(left === 0 ? [] : [paragraph(say`${count(left, 'more row')} left out for length.`)]),
  ];
}

/** Who gets in by each policy for which that changes, before and after; then the networks that differ. */
export function accessBlocks({ policies }: Report, limits: Limits): Block[] {
  const changed = policies.filter(isChanged);
  const rows = changed.flatMap((policy) =>
    policy.families.filter((family) => concerns(policy, family)).map((family) => ({ policy, family })),
  );
  const head = ['Policy', 'Family', 'Let in before', 'Let in after', 'Gained', 'Lost'];
  return [
    ...table(head, rows, { limits, write: ({ policy, family }) => accessRow(policy, family) }),
    ...changed.slice(0, limits.rows).flatMap((policy) => networkBlocks(policy, limits)),
  ];
}

const isChanged = ({ families, isDecided, later }: PolicyChange): boolean =>
  !isDecided || later.length > 0 || families.some(({ gained, lost }) => gained.length + lost.length > 0);

/** A family without any rule on either side has no row. */
const concerns = (policy: PolicyChange, { family }: FamilyChange): boolean =>
  [policy.before, policy.after].some((side) => {
    return side.allowed[family].length + side.denied[family].length + side.letIn[family].length > 0;
  }) || family === 4;

function accessRow(policy: PolicyChange, change: FamilyChange): Sentence[] {
  const letIn = (side: 'before' | 'after') =>
    sizeInFamily(change.family, sizeOf(policy[side].letIn, change.family));
  const difference = (cidrs: readonly Cidr[]): Sentence => {
    if (cidrs.length === 0) return trusted(policy.isDecided ? 'none' : 'not decided');
    const size = sizeInFamily(change.family, sizeOfCidrs(cidrs));
    return say`${trusted(policy.isDecided ? '' : 'at least ')}${size}`;
  };
  return [
    say`${foreign(policy.policyId)}`,
    trusted(familyName(change.family)),
    letIn('before'),
    letIn('after'),
    difference(change.gained),
    difference(change.lost),
  ];
}

const networkBlocks = (policy: PolicyChange, limits: Limits): Block[] =>
  policy.families.flatMap((change) =>
    (['gained', 'lost'] as const).flatMap((verb): Block[] => {
      const { family, [verb]: cidrs } = change;
      if (cidrs.length === 0) return [];
      const set = cidrSetOf(cidrs);
      if (isSaidByRest(set))
        return [paragraph(say`${foreign(policy.policyId)}, ${trusted(verb)}: ${gainInWords(set)}.`)];
      const write = (cidr: Cidr) => [say`${foreign(cidr.text)}`, addressCount(sizeOfCidr(cidr))];
      const intro = say`${foreign(policy.policyId)}, ${trusted(familyName(family))} ${trusted(verb)}: ${count(cidrs.length, 'network')}, the largest first.`;
      return [paragraph(intro), ...table(['Network', 'Size'], cidrs, { limits, write })];
    }),
  );

const OUTCOMES = { holds: 'holds', fails: 'FAILS', 'not-checked': 'not checked' } as const;

export function assertionBlocks({ assertions }: Report, limits: Limits): Block[] {
  if (assertions.length === 0) return [];
  const failedFirst = [...assertions].sort(
    (left, right) => Number(left.outcome === 'holds') - Number(right.outcome === 'holds'),
  );
  const write = ({ assertion, outcome, because }: AssertionResult) => [
    trusted(OUTCOMES[outcome]),
    say`${foreign(assertion.subject.isKnown ? assertion.subject.value : '(not known yet)')}`,
    describeAssertion(assertion),
    because,
  ];
  return table(['Outcome', 'Of', 'Assertion', 'Decided by'], failedFirst, { limits, write });
}
