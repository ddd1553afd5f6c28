import { DeclaredDiffs } from '../../../provider/src/hosts/run';

const olds = { cidr: '10.0.0.0/8' };
const inputs = { cidr: '10.0.0.0/8', action: 'allow' };

test('a diff of what checks have returned counts as often as they have, whatever the order of its keys', () => {
  const diffs = new DeclaredDiffs();
  diffs.noteCheck('rule', { olds, inputs });
  diffs.noteCheck('rule', { olds, inputs });
  const news = { __provider: 'the handler', action: 'allow', cidr: '10.0.0.0/8' };
  expect([1, 2, 3].map(() => diffs.use('rule', news))).toEqual([true, true, false]);
});

test('a diff of anything else does not count: that of a refresh, which checks nothing, and one after a check for a create', () => {
  const diffs = new DeclaredDiffs();
  diffs.noteCheck('rule', { olds, inputs });
  expect(diffs.use('rule', { ...inputs, action: 'deny' })).toBe(false);
  expect(diffs.use('set', inputs)).toBe(false);
  expect(diffs.use('rule', inputs)).toBe(true);
  diffs.noteCheck('rule', { olds: {}, inputs });
  expect(diffs.use('rule', inputs)).toBe(false);
});

test('a create is the only one if one check for a create has returned its inputs, whatever checks of updates did', () => {
  const diffs = new DeclaredDiffs();
  expect(diffs.isOnlyCreate('rule', inputs)).toBe(false);
  diffs.noteCheck('rule', { olds, inputs });
  diffs.noteCheck('rule', { olds: {}, inputs });
  expect(diffs.isOnlyCreate('rule', { ...inputs, __provider: 'the handler' })).toBe(true);
  diffs.noteCheck('rule', { olds: {}, inputs });
  expect(diffs.isOnlyCreate('rule', inputs)).toBe(false);
});
