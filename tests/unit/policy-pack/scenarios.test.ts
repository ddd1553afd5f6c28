import type { Policies } from '@pulumi/policy';
import { edgePolicies } from '../../../policy-pack/src';
import { readAssertionFile, type Report } from '../../../review/src';
import { POSTURE_KINDS } from '../../../review/src/posture';
import { plain } from '../../../review/src/text/escape';
import type { MadeResource } from '../review/preview-builder';
import { previewOf } from '../review/preview-builder';
import { reviewed } from '../review/reviewing';
import { allScenarios, type ScenarioRow } from '../review/scenarios/table';
import { type Shown, shownAfter, type Violation, violations } from './run-policies';

/** What is reported of the unknown, and of an incomplete preview, has tests of its own. */
const KINDS: ReadonlySet<string> = new Set(
  POSTURE_KINDS.filter(({ isOfTheUnknown, id }) => !isOfTheUnknown && id !== 'preview-incomplete').map(
    ({ id }) => id,
  ),
);

/** What a stack does not declare after the change, no pack can see. */
const SEEN_BY_THE_REVIEW_ONLY: Readonly<Record<string, string>> = {
  'the last allow goes': 'nobody-let-in',
  'a deny goes beside an exclusive set of a hidden policy that stays': 'open-to-all',
  'the only set of a policy goes to another one': 'nobody-let-in',
  'a retained rule gets another name': 'cidr-declared-twice',
  'a deny that is retained is replaced by an allow': 'allow-without-effect',
};

const policies: Policies = edgePolicies();
const run = (shown: readonly Shown[]): Promise<Violation[]> => violations(policies, shown);

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

/** What a scenario is made of; the hosts differ in the types of resources alone. */
const typesIn = ({ resources }: ScenarioRow): string =>
  oneOfEach(resources.map(({ type }) => type)).join(', ');

test.each([...new Map(allScenarios.map((row) => [typesIn(row), row] as const)).entries()])(
  'the pack finds the same of either host: %s',
  async (_types, { resources }) => {
    const inNative = await run(shownAfter(resources, 'native'));
    expect(idsOf(inNative)).toEqual(idsOf(await run(shownAfter(resources))));
  },
);

test.each(allScenarios)('$of: $name', async ({ name, resources }) => {
  const inDynamic = await run(shownAfter(resources));

  // Whatever a review of the change finds of the state, the pack finds.
  const ofChange = oneOfEach(findingsOf(reviewed(previewOf(...resources))).map(({ id }) => id));
  expect(ofChange.filter((id) => !idsOf(inDynamic).includes(id))).toEqual(
    [SEEN_BY_THE_REVIEW_ONLY[name.split(': ')[0] ?? ''] ?? []].flat(),
  );

  // And nothing else than what a review finds where all of it is created, in the same severity.
  const ofCreation = findingsOf(reviewed(previewOf(...creationOf(resources))));
  expect(
    inDynamic
      .filter(({ policy }) => KINDS.has(policy))
      .map(({ policy, message }) => `${policy} ${/^Severity (\w+)/.exec(message)?.[1] ?? ''}`)
      .sort(),
  ).toEqual(ofCreation.map(({ id, severity }) => `${id} ${severity}`).sort());
});

describe('assertions of every kind', () => {
  const networks = { mustAllow: ['8.8.8.8', '9.9.9.0/25'], mustDeny: ['8.8.8.1', '9.9.9.9'] };
  const ceiling = { neverWiderThan: ['8.0.0.0/7', '2600::/16'] };
  const clients = { mustAllow: ['curl/8.0'], mustDeny: ['Wget/1.3', null] };
  const assertions = {
    policies: ['ipp_1', 'ipp_2'].map((ipPolicyId) => ({ ipPolicyId, ...networks, ...ceiling })),
    tcpEdges: ['edgtcp_1', 'edgtcp_2'].map((edgeId) => ({ edgeId, ...networks, ...ceiling })),
    userAgentFilters: [
      { edgeId: 'e', routeId: 'r', ...clients },
      { edgeId: 'edghts_1', routeId: 'edghtsrt_1', ...clients },
    ],
  };
  const asked = readAssertionFile(JSON.stringify(assertions), 'assertions.json');
  const ABOUT_ASSERTIONS = /^assertion-(?:failed|not-checked|will-break)$/;
  const asking = edgePolicies({ assertions }).filter(({ name }) => ABOUT_ASSERTIONS.test(name));

  // Only the review counts what is left on the service, what other code serves, and that an exclusive set of a hidden policy
  // has deleted already what it can. Of a preview that is not the whole change it says nothing.
  const isShownInWhole = ({ resources }: ScenarioRow): boolean =>
    !resources.some(
      ({ state, before, after }) =>
        state?.['retainOnDelete'] === true ||
        state?.['deletedWith'] !== undefined ||
        after?.['__provider'] !== undefined ||
        (before?.['exclusive'] === true && after?.['ipPolicyId'] === '[secret]'),
    ) && !reviewed(previewOf(...resources)).findings.some(({ id }) => id === 'preview-incomplete');

  test.each(allScenarios.filter(isShownInWhole))('$of: $name', async ({ resources }) => {
    const shown = shownAfter(resources);
    const declared = new Set(
      shown.map(({ props: { ipPolicyId, edgeId, routeId } }) =>
        routeId === undefined ? (ipPolicyId ?? edgeId) : [edgeId, routeId].join('/'),
      ),
    );
    const expected = reviewed(previewOf(...resources), { assertions: asked })
      .findings.filter(({ id, where }) => ABOUT_ASSERTIONS.test(id) && declared.has(where.subject))
      .map(({ id, reason }) => `${id} ${plain(reason).split(', but ')[0] ?? ''}`);
    const found = (await violations(asking, shown))
      .filter(({ policy }) => ABOUT_ASSERTIONS.test(policy))
      .map(
        ({ policy, message }) =>
          `${policy} ${/^Severity \w+(?:, at \S+)?\. (.*?)\. [A-Z]/.exec(message)?.[1] ?? ''}`,
      );
    expect(found.sort()).toEqual(expected.sort());
  });
});
