import { filesBelow, textOf } from '../../support/workspace';

/** Everything that calls actions: our own, the workflows, and what the documents tell users to copy. */
const files = ['action', 'cli/templates', 'docs', '.github'].flatMap((folder) =>
  filesBelow(folder, /\.(ya?ml|md)$/),
);

const calls = files.flatMap((file) =>
  Array.from(textOf(file).matchAll(/^ *(?:- )?uses: (.+)$/gm), ([, call = '']) => ({ file, call })),
);

test('every action is called by a commit with its version beside it, as a tag can be moved', () => {
  expect(calls.length).toBeGreaterThan(8);
  const ours = /^<owner>\/<repository>\/action\/(?:judge|reviewed-plan|summary)@<commit>/;
  const pinned = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/;
  expect(calls.filter(({ call }) => !ours.test(call) && !pinned.test(call))).toEqual([]);
});

test('no checkout leaves a token where the code of a pull request can read it', () => {
  const checkouts = files.flatMap((file) =>
    textOf(file)
      .split(/^ *- /m)
      .filter((step) => step.startsWith('uses: actions/checkout@')),
  );
  expect(checkouts.length).toBeGreaterThan(1);
  expect(checkouts.filter((step) => !step.includes('persist-credentials: false'))).toEqual([]);
});
