import { costOfUp } from '../../../review/src/report/cost-of-up';
import { resourceChanges } from '../../../review/src/model/resource-change';
import { added, kept, previewOf, removed, rule, tcp } from './preview-builder';
import type { MadeResource } from './preview-builder';

const costOf = (resources: readonly MadeResource[], requestsPerMinute = 120) =>
  costOfUp(resourceChanges(previewOf(...resources).steps), requestsPerMinute);
const set = (before: object, after: object): MadeResource => ({
  type: 'IpPolicyRuleSet',
  name: 'set',
  before: { ipPolicyId: 'ipp_1', rules: JSON.stringify(before) },
  after: { ipPolicyId: 'ipp_1', rules: JSON.stringify(after) },
});
const allow = { action: 'allow' };

test('rules: one request for a create, an update and a delete, none for an unchanged one, two for a replacement', () => {
  expect(costOf([kept('a', rule('8.8.8.0/24'))])).toEqual({ requests: 0, isExact: true, minutes: 0 });
  expect(costOf([added('a', rule('8.8.8.0/24')), removed('b', rule('8.8.9.0/24'))]).requests).toBe(2);
  expect(costOf([{ ...kept('a', rule('8.8.8.0/24')), op: 'replace' }]).requests).toBe(2);
});

test('rules that may overwrite: a look at the list before the create', () => {
  const inputs = { ...rule('8.8.8.0/24'), overwriteExisting: true };
  expect(costOf([added('a', inputs)])).toMatchObject({ requests: 2, isExact: false });
});

test('modules: looked up before they are created', () => {
  const inputs = { edgeId: 'edgtcp_1', value: '{"inbound":[]}' };
  expect(costOf([tcp('tcp', { after: inputs })]).requests).toBe(2);
});

test('sets: unchanged rules cost nothing, and every other one a request', () => {
  const kept = { '8.8.8.0/24': allow, '8.8.9.0/24': allow };
  expect(costOf([set(kept, { ...kept, '9.9.9.0/24': allow })])).toEqual({
    requests: 1,
    isExact: true,
    minutes: 1,
  });
  expect(costOf([set({ ...kept, '7.7.7.0/24': allow }, { ...kept, '9.9.9.0/24': allow })]).requests).toBe(2);
  expect(costOf([set(kept, { ...kept, '8.8.8.0/24': { action: 'deny' } })]).requests).toBe(2);
});

test('sets: thousands of changed rules are counted and not planned, which says at most how many requests they take', () => {
  const rules = (first: number) =>
    Object.fromEntries(
      Array.from({ length: 2_600 }, (_, index) => [`${first}.${index >> 8}.${index & 255}.0/24`, allow]),
    );
  expect(costOf([set(rules(8), rules(9))])).toMatchObject({ requests: 5_200, isExact: false });
});

describe('sets: a list of the rules is read', () => {
  const rules = JSON.stringify({ '8.8.8.0/24': allow });
  const plain = { ipPolicyId: 'ipp_1', rules };
  const exclusive = { ...plain, exclusive: true };
  const overwrites = { ...plain, overwriteExisting: true };
  const described = {
    ...overwrites,
    rules: JSON.stringify({ '8.8.8.0/24': { ...allow, description: 'new' } }),
  };
  const ruleSet = (sides: Partial<MadeResource>): MadeResource => ({
    type: 'IpPolicyRuleSet',
    name: 'set',
    ...sides,
  });
  test.each<[what: string, sides: Partial<MadeResource>, requests: number, isExact: boolean]>([
    ['not to create a plain set', { after: plain }, 1, true],
    ['to create an exclusive one', { after: exclusive }, 2, false],
    ['to create one that may overwrite', { after: overwrites }, 2, false],
    ['to make one exclusive', { before: plain, after: exclusive }, 1, false],
    [
      'not to update one that is exclusive',
      { before: exclusive, after: { ...exclusive, rules: '{}' } },
      1,
      true,
    ],
    [
      'to give one that may overwrite a new network',
      { before: { ...overwrites, rules: '{}' }, after: overwrites },
      2,
      false,
    ],
    ['not to change a text of one that may overwrite', { before: overwrites, after: described }, 1, true],
    ['not to delete one', { before: plain }, 1, true],
    ['not to delete an empty one', { before: { ...plain, rules: '{}' } }, 0, true],
    ['not to replace a plain one', { before: plain, after: plain, op: 'replace' }, 2, true],
    ['to replace an exclusive one', { before: exclusive, after: exclusive, op: 'replace' }, 3, false],
  ])('%s', (_what, sides, requests, isExact) => {
    expect(costOf([ruleSet(sides)])).toMatchObject({ requests, isExact });
  });
});

test('sets: what is hidden is not counted, and said to be', () => {
  expect(costOf([set({}, { '(unknown 1)': allow })])).toEqual({ requests: 0, isExact: false, minutes: 0 });
});

test('minutes are whole, at the limit given', () => {
  const resources = Array.from({ length: 61 }, (_, index) =>
    added(`rule-${index}`, rule(`8.8.${index}.0/24`)),
  );
  expect([
    costOf(resources, 60).minutes,
    costOf(resources, 61).minutes,
    costOf(resources, 1).minutes,
  ]).toEqual([2, 1, 61]);
});
