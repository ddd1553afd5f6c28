import { changedFields, type Field, isAbsent, isSameValue } from '../../../provider/src/fields/field';

const text = {
  parse: (value: unknown) => ({ value: value as string }),
  type: { input: { type: 'string' }, output: { type: 'string' } } as const,
  isSame: Object.is,
  onChange: 'update',
} as const;
const plain: Field<unknown> = { ...text, wire: 'plain' };
const emptiable: Field<unknown> = { ...text, wire: 'emptiable', isAbsentWhenEmpty: true };
const setting: Field<unknown> = { ...text, onChange: 'settings-only' };

test('absent is what is not given, and the empty text where the field says so', () => {
  expect([undefined, null, '', 'x'].map((value) => isAbsent(plain, value))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([undefined, null, '', 'x'].map((value) => isAbsent(emptiable, value))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('two absent values are the same, and an absent one is never the same as one that is given', () => {
  const lenient: Field<unknown> = { ...emptiable, isSame: () => true };
  expect(isSameValue(lenient, undefined, '')).toBe(true);
  expect(isSameValue(lenient, undefined, 'x')).toBe(false);
  expect(isSameValue(lenient, 'x', null)).toBe(false);
  expect(isSameValue(lenient, 'x', 'y')).toBe(true);
});

test('the changed fields are those that differ and reach the service', () => {
  const table = { plain, emptiable, setting };
  const olds = { plain: 'a', emptiable: '', setting: true, unknown: 1 };
  expect(changedFields(table, olds, { plain: 'a', setting: false, unknown: 2 })).toEqual([]);
  expect(changedFields(table, olds, { plain: 'b', emptiable: 'c', setting: true })).toEqual([
    'plain',
    'emptiable',
  ]);
});
