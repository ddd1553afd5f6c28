// Rules as programs of other languages pass them, where no compiler has looked: as they are, with the engine's unknown values.
import { readDeclaration } from '../../../provider/src/rule-set/declared-rules';
import { UNKNOWN } from '../../../provider/src/values/unknowns';

const failures = (rules: unknown): string[] =>
  (readDeclaration(rules).failures ?? []).map(({ path = '', reason }) => `${path}: ${reason}`);

test('a value that is not known yet stays open, in a list and in a map', () => {
  const list = [{ cidr: UNKNOWN, action: 'allow' }, { cidr: '10.0.0.0/8', action: UNKNOWN }, UNKNOWN];
  expect(readDeclaration(list).value).toBe(
    '@rules\n10.0.0.0/8 (unknown)\n(unknown 1) allow\n(unknown 2) (unknown)\n',
  );
  const map = { '10.0.0.0/8': { action: 'deny', description: UNKNOWN }, '192.0.2.0/24': UNKNOWN };
  expect(readDeclaration(map).value).toBe('@rules\n10.0.0.0/8 deny (unknown)\n192.0.2.0/24 (unknown)\n');
});

test.each<[rules: unknown, reason: string]>([
  [[{ action: 'allow' }], '[0].cidr: is required'],
  [[{ cidr: null, action: 'allow' }], '[0].cidr: is required'],
  [[{ cidr: 5, action: 'allow' }], '[0].cidr: must be a string, not a number'],
  [[{ cidr: '10.0.0.0/8' }], '[0].action: is required: allow or deny'],
  [[{ cidr: '10.0.0.0/8', action: 5 }], '[0].action: must be a string, not a number'],
  [[{ cidr: '10.0.0.0/8', action: 'allow', metadata: 5 }], '[0].metadata: must be a string, not a number'],
  [{ '10.0.0.0/8': 'allow' }, '["10.0.0.0/8"]: must be a rule with an action, not a string'],
  [{ '10.0.0.0/8': ['allow'] }, '["10.0.0.0/8"]: must be a rule with an action, not an array'],
])('%j is refused: %s', (rules, reason) => {
  expect(failures(rules)).toEqual([reason]);
});

test('a text that begins like rules and is none is refused', () => {
  expect(failures('@rules\n10.0.0.0/8 permit\n').join()).toContain(
    'must be a list of rules or a map from CIDR to rule',
  );
});
