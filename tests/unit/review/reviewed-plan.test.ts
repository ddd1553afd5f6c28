import { readPlan, renderPlan, type ReviewedPlan } from '../../../review/src';
import { plain } from '../../../review/src/text/escape';
import { added, agents, kept, office, policyRule, previewOf, removed, ruleSet } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { filterInputs, rule, SECRET, setInputs, UNKNOWN } from './inputs';
import { newIds, reviewed, schemaErrors, textOf, type Wishes } from './reviewing';

const branch = added('branch', rule('9.9.9.0/24'));

/** The plan as the file holds it. */
const planOf = (...resources: MadeResource[]): ReviewedPlan =>
  readPlan(renderPlan(reviewed(resources).plan.plan), 'plan.json');
const apply = (approved: readonly MadeResource[], now: readonly MadeResource[], wishes: Wishes = {}) =>
  reviewed(now, { expected: planOf(...approved), failOn: 'never', ...wishes });
const differences = (...given: Parameters<typeof apply>): string[] =>
  (apply(...given).plan.expected?.comparison.differences ?? []).map(({ reason }) => plain(reason));

const changed = (...[before, after]: readonly ReturnType<typeof rule>[]): MadeResource =>
  policyRule('office', { before, after });
const set = (after: object, before?: object): MadeResource => ruleSet('list', { before, after });
const [ALLOWED, OTHER] = ['9.9.9.0/24: allow', '7.7.7.0/24: allow'];
const filter = (before: readonly string[], after: readonly string[]): MadeResource =>
  agents('ua', { before: filterInputs(before), after: filterInputs(after) });

/** A live rule of another policy that the stack takes into its state as it is. */
const imported: MadeResource = policyRule('found', {
  op: 'import',
  after: rule('7.7.7.0/24', 'allow', 'ipp_2'),
  newState: { importID: 'ipr_1' },
});

test('the file of a plan is what its schema describes, hidden values among it', () => {
  const secret = kept('secret', rule(SECRET, 'deny'));
  const noCurl = agents('ua', { after: filterInputs(['curl']) });
  const text = renderPlan(reviewed([office, branch, secret, noCurl, imported]).plan.plan);
  expect(schemaErrors('plan-2', JSON.parse(text))).toBeNull();
  expect(text).toContain('"hidden"');
});

test('the same change is what was reviewed, whatever its findings', () => {
  const open = added('open', rule('0.0.0.0/0'));
  const report = apply([office, open], [office, open]);
  expect(report.verdict.outcome).toBe('clear');
  expect(newIds(report)).toContain('open-to-all');
  expect(textOf(report)).toContain('This is the reviewed plan');
});

test.each(
  Object.entries<[readonly MadeResource[], readonly MadeResource[], string[]]>({
    'a rule that takes over what it finds, and did not': [
      [office, branch],
      [office, added('branch', { ...rule('9.9.9.0/24'), overwriteExisting: true })],
      ['"branch" would end up with overwriteExisting of "ipp_1"'],
    ],
    'one resource more': [
      [office, branch],
      [office, branch, added('more', rule('7.7.7.0/24'))],
      ['create of "more" was not reviewed'],
    ],
    'an import into a policy that nobody looked at': [
      [office, branch],
      [office, branch, imported],
      ['import of "found" was not reviewed'],
    ],
    'one resource less': [[office, branch], [office], ['"branch" is not in this plan any more']],
    'a rule of the same policy that has changed since': [
      [office, branch],
      [kept('office', rule('8.8.0.0/16')), branch],
      ['"office" would end up with "allow 8.8.0.0/16" and without "allow 8.8.8.0/24"'],
    ],
    'a rule of the same policy that is gone since': [
      [office, kept('block', rule('8.8.8.8/32', 'deny')), branch],
      [office, branch],
      ['"block" is not in this plan any more'],
    ],
    'a rule of the same policy that has come since': [
      [office, branch],
      [office, branch, kept('since', rule('7.7.7.0/24'))],
      ['"since" was added to the stack since'],
    ],
    'a start from elsewhere': [
      [changed(rule('8.8.8.0/24'), rule('8.8.8.0/25'))],
      [changed(rule('8.8.0.0/16'), rule('8.8.8.0/25'))],
      ['"office" has changed: now with "allow 8.8.0.0/16" and without "allow 8.8.8.0/24"'],
    ],
    'another operation': [
      [changed(rule('8.8.8.0/24'), rule('8.8.8.0/25'))],
      [{ ...changed(rule('8.8.8.0/24'), rule('8.8.8.0/25')), op: 'replace' }],
      ['"office" is planned as replace, but was reviewed as update'],
    ],
    'another text of a rule that comes': [
      [office, { ...branch, after: { ...rule('9.9.9.0/24'), metadata: '{"owner":"it"}' } }],
      [office, { ...branch, after: { ...rule('9.9.9.0/24'), metadata: '{"owner":"someone else"}' } }],
      ['"branch" would end up with other texts, or in another form: "allow 9.9.9.0/24"'],
    ],
    'a text that others have changed on what the change touches': [
      [changed(rule('8.8.8.0/24'), rule('8.8.8.0/25'))],
      [
        {
          ...changed(rule('8.8.8.0/24'), rule('8.8.8.0/25')),
          state: { outputs: { ...rule('8.8.8.0/24'), description: 'others' } },
        },
      ],
      ['"office" has changed: now with other texts, or in another form: "allow 8.8.8.0/24"'],
    ],
    'another object': [
      [removed('office', rule('8.8.8.0/24'))],
      [{ ...removed('office', rule('8.8.8.0/24')), state: { id: 'ipr_2' } }],
      ['"office" is another object of the service than the reviewed one'],
    ],
    'the import of another object': [
      [imported],
      [{ ...imported, newState: { importID: 'ipr_2' } }],
      ['"found" is another object of the service than the reviewed one'],
    ],
  }),
)('%s is a difference', (_name, [approved, now, found]) => {
  expect(differences(approved, now)).toEqual(found);
  const report = apply(approved, now);
  expect(report.verdict.outcome).toBe('findings');
  expect(newIds(report)).toContain('plan-differs');
});

test.each<[string, readonly MadeResource[], readonly MadeResource[]]>([
  ['a set in another order', [set(setInputs([ALLOWED, OTHER]))], [set(setInputs([OTHER, ALLOWED]))]],
  [
    'a change of another policy that was applied in between',
    [office, branch],
    [office, branch, kept('other', rule('1.1.1.0/24', 'allow', 'ipp_2'))],
  ],
  ['an import', [office, branch, imported], [office, branch, imported]],
  [
    'a text of a rule that the change does not touch',
    [kept('office', { ...rule('8.8.8.0/24'), description: 'a' }), branch],
    [kept('office', { ...rule('8.8.8.0/24'), description: 'b' }), branch],
  ],
])('%s is none', (_name, approved, now) => {
  expect(differences(approved, now)).toEqual([]);
});

test.each<[string, MadeResource, MadeResource]>([
  ['a network', added('branch', rule(UNKNOWN)), branch],
  ['an action', added('branch', rule('9.9.9.0/24', UNKNOWN)), branch],
  ['a policy', added('branch', rule('9.9.9.0/24', 'allow', UNKNOWN)), branch],
  ['all rules of a set', set({ ...setInputs([]), rules: UNKNOWN }), set(setInputs([ALLOWED]))],
  ['a pattern', filter(['curl'], ['curl', UNKNOWN]), filter(['curl'], ['curl', 'wget'])],
])('%s that was unknown matches itself, and nothing that it may become', (_name, approved, now) => {
  expect(differences([office, approved], [office, approved])).toEqual([]);
  expect(differences([office, approved], [office, now])).toHaveLength(1);
  expect(differences([office, now], [office, approved])).toHaveLength(1);
});

test('a secret is listed as not covered, as it shows the same whatever it is', () => {
  const secret = added('branch', rule(SECRET));
  const comparison = apply([office, secret], [office, secret]).plan.expected?.comparison;
  expect(comparison).toMatchObject({
    differences: [],
    notCovered: ['urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::branch'],
  });
  expect(differences([office, secret], [office, branch])).toHaveLength(1);
});

test('a set that may own its policy is not one that was reviewed as one that does not', () => {
  const owner = (exclusive: unknown) => set({ ...setInputs([ALLOWED]), exclusive });
  expect(differences([owner(false)], [owner(UNKNOWN)])).toHaveLength(1);
  expect(differences([owner(false)], [owner(SECRET)])).toHaveLength(1);
  expect(differences([owner(UNKNOWN)], [owner(UNKNOWN)])).toEqual([]);
});

test('a resource that goes to another account than the reviewed one is planned differently', () => {
  const of = (account: string) => {
    const provider = `urn:pulumi:dev::acme::pulumi:providers:pulumi-nodejs::${account}::id`;
    return { ...branch, newState: { provider } };
  };
  expect(differences([office, of('one')], [office, of('two')])).toEqual([
    'the requests of "branch" would go to another provider',
  ]);
  expect(differences([office, of('one')], [office, of('one')])).toEqual([]);
});

test('a preview that leaves something out is not compared, and not decidable', () => {
  const preview = { ...previewOf(office, branch), gaps: [['The preview may be corrupt.']] };
  const report = reviewed(preview, { expected: planOf(office, branch), failOn: 'never' });
  expect(report.verdict.outcome).toBe('not-decidable');
  expect(() => readPlan(renderPlan(report.plan.plan), 'plan.json')).toThrow('did not show the whole change');
});

test.each([
  ...['', '[]', '{}', '{"formatVersion":1}'].map((text) => [text, 'is not a reviewed plan of version 2']),
  [
    renderPlan(planOf(office, branch)).replaceAll('"dev"', '"prod"'),
    'was changed after it was written: its hash does not match its content',
  ],
])('the file %j is refused: it %s', (text = '', said = '') => {
  expect(() => readPlan(text, 'plan.json')).toThrow(`plan.json ${said}`);
});

test('--expect: a secret pattern hides no other, before or after', () => {
  const approved = [filter(['curl', SECRET], [SECRET, 'wget'])];
  expect(differences(approved, [filter([SECRET, 'curl'], ['wget', SECRET])])).toEqual([]);
  expect(apply(approved, approved).plan.expected?.comparison.notCovered).toHaveLength(1);
  expect(differences(approved, [filter(['curl', SECRET], [SECRET, 'more'])])).toHaveLength(1);
  expect(differences(approved, [filter(['bots', SECRET], [SECRET, 'wget'])])).toHaveLength(1);
  expect(differences(approved, [filter(['curl', SECRET], ['bots', 'wget'])])).toHaveLength(1);
});

test('an up that ends a rule which its review still counted is not as reviewed', () => {
  const ending = [office, set(setInputs(['9.9.9.0/24: allow until 2026-07-01']), setInputs([]))];
  const ended = [office, set(setInputs([]), setInputs([]))];
  expect(differences(ending, ended)).toEqual(['"list" is not in this plan any more']);
  // The fresh preview was made before the end, and the comparison after it.
  expect(differences(ending, ending, { now: '2026-07-01T23:59:59.999Z' })).toEqual([]);
  expect(differences(ending, ending, { now: '2026-07-02T00:00:00.000Z' })).toEqual([
    '"list" has rules that ended after the preview, "allow 9.9.9.0/24 until 2026-07-01"',
  ]);
});
