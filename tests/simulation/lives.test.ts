import { liveApart } from './lives';

jest.setTimeout(1_800_000);

test('whatever happens to a stack, one healthy up puts everything right', async () => {
  const { EDGE_POLICY_LIVES: lives = '5000', EDGE_POLICY_SEED: seed } = process.env;
  expect(await liveApart({ seed: Number(seed), lives: Number(lives) })).toBe('');
});
