import { edgePolicies } from '../../../policy-pack/src';
import type { Report } from '../../../review/src';
import { POSTURE_KINDS } from '../../../review/src/posture';
import { type MadeResource } from '../review/preview-builder';
import { reviewed } from '../review/reviewing';
import { allScenarios } from '../review/scenarios/table';
import { shownAfter, type Violation, violations } from './run-policies';

/** What is reported of the unknown, and of an incomplete preview, has tests of its own. */
const KINDS: ReadonlySet<string> = new Set(
  POSTURE_KINDS.filter(({ posture, id }) => posture !== 'unknown' && id !== 'preview-incomplete').map(
    ({ id }) => id,
  ),
);

/** What a stack does not declare after the change, no pack can see. */
const SEEN_BY_THE_REVIEW_ONLY: Readonly<Record<string, string>> = {
  'the last allow goes': 'nobody-let-in',
  'a deny goes beside an exclusive set of a hidden policy that stays': 'open-to-all',
  'the only set of a policy goes to another one': 'nobody-let-in',
  'a retained rule gets another name': 'rule-covered',
  'a deny that is retained is replaced by an allow': 'allow-without-effect',
};

const policies = edgePolicies();

const findingsOf = ({ findings }: Report) => findings.filter(({ id }) => KINDS.has(id));
const oneOfEach = (ids: readonly string[]): string[] => [...new Set(ids)].sort();

const creationOf = (resources: readonly MadeResource[]): MadeResource[] => [
  ...new Map(
    resources.flatMap(({ type, name, after, newState }) =>
      after && type !== 'AccessAssertions'
        ? [[`${type} ${name}`, { type, name, after: { ...after, ...outputsIn(newState) } }] as const]
        : [],
    ),
  ).values(),
];
const outputsIn = (state: MadeResource['newState']): object => state?.['outputs'] ?? {};

const idsOf = (found: readonly Violation[]) => found.map(({ policy }) => policy);

test.each(allScenarios)('$of: $name', async ({ name, resources }) => {
  const found = await violations(policies, shownAfter(resources));

  // Whatever a review of the change finds of the state, the pack finds.
  const ofChange = oneOfEach(findingsOf(reviewed(resources)).map(({ id }) => id));
  expect(ofChange.filter((id) => !idsOf(found).includes(id))).toEqual(
    [SEEN_BY_THE_REVIEW_ONLY[name.split(': ')[0] ?? ''] ?? []].flat(),
  );

  // And nothing else than what a review finds where all of it is created, in the same severity.
  const ofCreation = findingsOf(reviewed(creationOf(resources)));
  expect(
    found
      .filter(({ policy }) => KINDS.has(policy))
      .map(({ policy, message }) => `${policy} ${/^Severity (\w+)/.exec(message)?.[1] ?? ''}`)
      .sort(),
  ).toEqual(ofCreation.map(({ id, severity }) => `${id} ${severity}`).sort());
});
