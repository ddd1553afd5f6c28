import { byteLimitProblem, unicodeProblem } from '../../../provider/src/values/text-limits';

test('bytes are counted, not characters', () => {
  expect(byteLimitProblem('a'.repeat(255), 255)).toBeUndefined();
  expect(byteLimitProblem('é'.repeat(127), 255)).toBeUndefined();
  expect(byteLimitProblem('é'.repeat(128), 255)).toBe(
    'is 256 bytes long in UTF-8, and at most 255 are allowed',
  );
  expect(byteLimitProblem('😀'.repeat(1025), 4096)).toBe(
    'is 4100 bytes long in UTF-8, and at most 4096 are allowed',
  );
});

test('half of a character is refused with its position', () => {
  const reason = 'has half of a character at position 3 (a lone surrogate), which UTF-8 cannot encode';
  for (const half of ['\ud83d', '\ude00', '\ude00\ud83d']) {
    expect(unicodeProblem(`ab${half}`)).toBe(reason);
    expect(byteLimitProblem(`ab${half}`, 255)).toBe(reason);
  }
  expect(unicodeProblem('ab😀')).toBeUndefined();
});

test('no sentence repeats the text', () => {
  expect(byteLimitProblem('secret'.repeat(100), 255)).not.toContain('secret');
  expect(byteLimitProblem('secret\ud83d', 255)).not.toContain('secret');
});
