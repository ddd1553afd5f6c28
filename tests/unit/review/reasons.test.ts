import { added, kept, ruleSet, policyRule, type MadeResource } from './preview-builder';
import { rule, setInputs } from './inputs';
import { reviewed, told, type Wishes } from './reviewing';

const requires = { description: true, metadata: ['owner', 'ticket'] } as const;
const reasons = (resources: readonly MadeResource[], wishes: Wishes = { requires }): string[] =>
  told(reviewed(resources, wishes), 'reason-required');
const set = (before: string | undefined, after: string): MadeResource =>
  ruleSet('set', {
    before: before === undefined ? undefined : setInputs([before]),
    after: setInputs([after]),
  });
const reasoned = { description: 'Vendor X', metadata: '{"owner":"web","ticket":17}' };
const toldLine = '9.9.9.9/32: allow \'Vendor X\' metadata \'{"owner":"web","ticket":17}\'';

test.each([
  ['nothing', {}, '"9.9.9.9/32" lacks a description, "owner" and "ticket"'],
  ['a blank description', { ...reasoned, description: ' ' }, '"9.9.9.9/32" lacks a description'],
  ['an empty member', { ...reasoned, metadata: '{"owner":"","ticket":"A-1"}' }, '"9.9.9.9/32" lacks "owner"'],
  ['metadata that is a list', { ...reasoned, metadata: '["owner","ticket"]' }, 'lacks "owner" and "ticket"'],
  ['metadata that is no JSON', { ...reasoned, metadata: 'owner ticket' }, 'lacks "owner" and "ticket"'],
  [
    'an inherited name',
    { ...reasoned, metadata: '{"__proto__":{"owner":"a","ticket":"b"}}' },
    '"owner" and "ticket"',
  ],
  ['secret texts', { description: '[secret]', metadata: '[secret]' }, 'a description, "owner" and "ticket"'],
])('a new rule that says %s is a finding', (_name, texts, missing) => {
  const [found = ''] = reasons([added('vendor', { ...rule('9.9.9.9/32'), ...texts })]);
  expect(found).toMatch(
    /^high reason-required: The gate requires a reason for every new or changed rule: allow /,
  );
  expect(found).toContain(`${missing}.`);
});

test.each([
  ...['\u200b\u200b', '\u2800', '\u3164', '\u115f\u1160', '...', '-'].map((text) => [text, false] as const),
  ...['7', 'é', '東', 'x\u200b'].map((text) => [text, true] as const),
])('a reason has a letter or a digit to be seen: %j: %s', (text, isReason) => {
  const metadata = JSON.stringify({ owner: text, ticket: text });
  const found = reasons([added('vendor', { ...rule('9.9.9.9/32'), description: text, metadata })]);
  const lacks = expect.stringContaining('"9.9.9.9/32" lacks a description, "owner" and "ticket".') as string;
  expect(found).toEqual(isReason ? [] : [lacks]);
});

test('allow and deny alike, by resource', () => {
  expect(reasons([set(undefined, `${toldLine}\n8.8.8.0/24: deny\n7.7.7.0/24: allow 'Office'`)])).toEqual([
    'high reason-required: The gate requires a reason for every new or changed rule: deny "8.8.8.0/24" lacks a description, "owner" ' +
      'and "ticket" and allow "7.7.7.0/24" lacks "owner" and "ticket".',
  ]);
});

test('a rule that changes is asked, and one that stays or only moves is not', () => {
  expect(reasons([kept('old', rule('9.9.9.9/32'))])).toEqual([]);
  expect(reasons([set('9.9.9.9/32: allow', `8.8.8.0/24: allow 'x'\n9.9.9.9/32: allow`)])).toHaveLength(1);
  const [changed = ''] = reasons([set('9.9.9.9/32: allow', '9.9.9.9/32: deny')]);
  expect(changed).toContain('deny "9.9.9.9/32"');
  const moved = [policyRule('old', { before: rule('9.9.9.9/32') }), set(undefined, '9.9.9.9/32: allow')];
  expect(reasons(moved)).toEqual([]);
});

test('a reason that is taken away is one that lacks', () => {
  expect(reasons([set(toldLine, '9.9.9.9/32: allow')])).toHaveLength(1);
  expect(reasons([set('9.9.9.9/32: allow', toldLine)])).toEqual([]);
});

test('without the requirement nothing is asked', () => {
  expect(reasons([added('vendor', rule('9.9.9.9/32'))], {})).toEqual([]);
  expect(reasons([added('vendor', rule('9.9.9.9/32'))], { requires: {} })).toEqual([]);
});
