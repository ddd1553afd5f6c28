import { CommandLine } from '../../support/command-line';

test.each([
  ['nothing to review', [], 'Give the preview to review'],
  ['a file that is not there', ['preview.json'], 'cannot be read'],
])('review: %s is wrong usage, and nothing is reviewed', async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await new CommandLine().run('review', ...args);
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toContain(message);
});
