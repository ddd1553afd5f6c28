import { checkAction } from '../../../provider/src/values/action';

test.each(['allow', 'deny'])('%s is an action', (action) => {
  expect(checkAction(action)).toBeUndefined();
});

describe('a near miss is named', () => {
  test.each([
    ['Allow', 'allow'],
    ['DENY', 'deny'],
    ['allow ', 'allow'],
    ['alow', 'allow'],
    ['alllow', 'allow'],
    ['alolw', 'allow'],
    ['sllow', 'allow'],
    ['denyy', 'deny'],
    ['dney', 'deny'],
    ['block', 'deny'],
    ['Reject', 'deny'],
    ['denied', 'deny'],
    ['permit', 'allow'],
  ])('%j: %s', (text, meant) => {
    expect(checkAction(text)).toBe(`${JSON.stringify(text)} is not an action: did you mean ${meant}?`);
  });
});

describe('a far miss is not guessed at', () => {
  test.each(['', 'any', 'all', 'log', 'ignore', 'deny all', 'disallow', 'allow|deny', '__proto__'])(
    '%j',
    (text) => {
      expect(checkAction(text)).toBe(`${JSON.stringify(text)} is not an action: must be allow or deny`);
    },
  );
});
