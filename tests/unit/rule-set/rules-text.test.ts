import fc from 'fast-check';
import { parse } from 'yaml';
import type { LiveRule } from '../../../provider/src/rule/rule';
import {
  idsByKey,
  liveRulesInState,
  parseRules,
  readRuleLines,
  rulesInState,
} from '../../../provider/src/rule-set/rules-text';
import { anyCharacter } from '../../support/any-character';

const rule = (id: string, cidr: string, rest: Partial<LiveRule> = {}): LiveRule => ({
  id,
  cidr,
  action: 'allow',
  ...rest,
});

test('state holds the ids in the order of the networks, and the rules come back from it', () => {
  const live = [
    rule('ipr_c', '2001:db8::/32', { description: 'six' }),
    rule('ipr_b', '192.0.2.0/24', { action: 'deny', metadata: '{"a":1}' }),
    rule('ipr_a', '10.0.0.0/8'),
  ];
  const state = rulesInState(live);
  expect(state).toEqual({
    rules: `10.0.0.0/8: allow\n192.0.2.0/24: deny metadata '{"a":1}'\n2001:db8::/32: allow 'six'\n`,
    ruleIdList: 'ipr_a\nipr_b\nipr_c\n',
  });
  expect(liveRulesInState(state)).toEqual([live[2], live[1], live[0]]);
  expect(idsByKey(state)).toEqual({
    '10.0.0.0/8': 'ipr_a',
    '192.0.2.0/24': 'ipr_b',
    '2001:db8::/32': 'ipr_c',
  });
});

test('rules for the same network, and texts that are no network, keep their ids apart', () => {
  const live = [
    rule('ipr_1', '7'),
    rule('ipr_5', '7'),
    rule('ipr_2', '10.0.0.0/8'),
    rule('ipr_3', '10.0.0.0/8', { action: 'deny' }),
    rule('ipr_4', '9.0.0.0/8'),
  ];
  const state = rulesInState(live);
  expect(Object.keys(idsByKey(state))).toEqual([
    '9.0.0.0/8',
    '10.0.0.0/8',
    '10.0.0.0/8 (duplicate 2)',
    'not a network: 7',
    'not a network (duplicate 2): 7',
  ]);
  expect(new Set(liveRulesInState(state))).toEqual(new Set(live));
});

test.each([
  [200, expect.stringMatching(/^10\.0\.0\.0/)],
  [201, expect.stringMatching(/^@rules\n10\.0\.0\.0/)],
])('the CLI is to print a text of %i rules as it prints any, or in full', (count, text) => {
  const live = Array.from({ length: count }, (_, index) => rule(`ipr_${index}`, `10.0.0.${index}/32`));
  expect(rulesInState(live).rules).toEqual(text);
});

test('an empty set, and no state at all, hold no rules', () => {
  expect(liveRulesInState(rulesInState([]))).toEqual([]);
  expect(liveRulesInState({})).toEqual([]);
});

test('state whose ids do not match its rules is refused: a wrong id would delete the wrong rule', () => {
  const { rules } = rulesInState([rule('ipr_a', '10.0.0.0/8')]);
  expect(() => liveRulesInState({ rules, ruleIdList: 'ipr_a\nipr_b\n' })).toThrow(
    /holds 1 rules and 2 ids\. .*make "ruleIdList" list the id of every rule in "rules", in the same order/,
  );
  expect(() => liveRulesInState({ rules })).toThrow('holds 1 rules and 0 ids');
});

test.each([
  ['no colon', '10.0.0.0/8 allow\n'],
  ['another first line', '@policy\n10.0.0.0/8: allow\n'],
  ['no last line break', '@rules\n10.0.0.0/8: allow'],
  ['an empty line', '@rules\n\n10.0.0.0/8: allow\n'],
  ['two blanks', '@rules\n10.0.0.0/8:  allow\n'],
  ['another action', '@rules\n10.0.0.0/8: permit\n'],
  ['a text without its end', "@rules\n10.0.0.0/8: allow 'office\n"],
  ['double quotes', '@rules\n10.0.0.0/8: allow "office"\n'],
  ['an escape that JSON does not know', "@rules\n10.0.0.0/8: allow '\\x'\n"],
  ['an escape in the JSON of a key', `@rules\n"'\\\\x'": allow\n`],
  ['a tab', "@rules\n10.0.0.0/8: allow '\\n\t'\n"],
  ['a colon that YAML would read', "@rules\n10.0.0.0/8: allow 'a: b'\n"],
  ['JSON without need', `@rules\n10.0.0.0/8: "allow 'a'"\n`],
  ['metadata before the description', "@rules\n10.0.0.0/8: allow metadata 'm' 'd'\n"],
  ['JSON', '{"10.0.0.0/8":{"action":"allow"}}'],
  ['no text', ''],
])('%s is no text of rules, and nothing of it is shown', (_name, text) => {
  expect(readRuleLines(text)).toBeUndefined();
  expect(() => parseRules(text)).toThrow(
    /^The rules of this set in the state cannot be read: .* from a backup or an export\.$/,
  );
});

test('a rule with an open field is no rule to deploy', () => {
  for (const line of ['10.0.0.0/8: allow (unknown)', '10.0.0.0/8: (unknown)', '(unknown 1): allow'])
    expect(() => parseRules(`@rules\n${line}\n`)).toThrow('still unknown at deployment');
});

const text = fc.oneof(
  fc.string({ unit: anyCharacter, minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('\n', '"', '\\', ': ', ' #', '(unknown)', ' metadata "', '<{%', '\u202e', 'a'),
  }),
);
const liveRules = fc.uniqueArray(
  fc.record(
    {
      id: fc.stringMatching(/^ipr_[0-9A-Za-z]{1,27}$/),
      cidr: fc.oneof(
        fc.nat(255).map((octet) => `${octet}.0.0.0/8`),
        fc.nat(9).map((part) => `2001:db8:${part}::/48`),
        text,
        fc.constantFrom('10.0.0.0/8 (duplicate 2)', 'not a network: 7', '7 (duplicate 2)', '7'),
      ),
      action: fc.constantFrom('allow' as const, 'deny' as const),
      description: text.filter((value) => value !== ''),
      metadata: text.filter((value) => value !== ''),
      until: fc.constantFrom('2026-12-31', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00.250Z'),
    },
    { requiredKeys: ['id', 'cidr', 'action'] },
  ),
  { selector: ({ id }) => id },
);

/** What a text says of each key, as YAML reads it. */
const asYaml = (rules: string): [string, unknown][] =>
  Object.entries(parse(rules, { schema: 'core', version: '1.1' }) as object);

test('whatever the texts say, state gives back the very rules, one a line of YAML, and nothing a terminal acts on', () => {
  fc.assert(
    fc.property(liveRules, (live) => {
      const state = rulesInState(live);
      expect(new Set(liveRulesInState(state))).toEqual(new Set(live));
      const isInFull = live.length > 1;
      expect(state.rules.split('\n')).toHaveLength(live.length + (isInFull ? 1 : 2));
      expect(state.rules.startsWith('@rules\n')).toBe(!isInFull);
      if (isInFull)
        expect(asYaml(state.rules)).toEqual(
          live.map((): unknown => [expect.any(String), expect.stringMatching(/^(?:allow|deny)/)]),
        );
      expect(state.rules.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]|<\{%/u);
    }),
    { numRuns: 500 },
  );
});

test('ten thousand rules of the benchmark take at most 110 bytes each in state: inputs, outputs and ids', () => {
  const live = Array.from({ length: 10_000 }, (_, index) => {
    const [second, third, fourth] = [(index >> 12) & 255, (index >> 4) & 255, (index & 15) * 16];
    return rule(`ipr_${String(index).padStart(27, 'x')}`, `10.${second}.${third}.${fourth}/28`, {
      action: index % 10 === 0 ? 'deny' : 'allow',
      description: `site ${index}`,
    });
  });
  const { rules, ruleIdList } = rulesInState(live);
  const bytes = Buffer.byteLength(JSON.stringify({ inputs: { rules }, outputs: { rules, ruleIdList } }));
  expect(bytes / live.length).toBeLessThanOrEqual(110);
});
