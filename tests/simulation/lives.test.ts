import { liveApart } from './lives';

jest.setTimeout(1_800_000);

test('whatever happens to a stack, one healthy up puts everything right', async () => {
  // The same lives each time, unlike other random tests: one life in thousands finds what has nothing to do with the change at
  // hand. `npm run simulate` searches in new ones.
  expect(await liveApart({ seed: 1, lives: Number(process.env['EDGE_POLICY_LIVES'] ?? 2000) })).toBe('');
});
