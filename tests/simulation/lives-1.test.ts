import { expectUnbroken } from './lives';

jest.setTimeout(1_800_000);

test('whatever happens to a stack, one healthy up puts everything right (part 1 of 2)', async () => {
  await expectUnbroken(0, 2);
});
