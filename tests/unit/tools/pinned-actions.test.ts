import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const repository = path.join(__dirname, '../../..');

const filesBelow = (folder: string): string[] =>
  existsSync(path.join(repository, folder))
    ? readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(folder, name),
      )
    : [];

/** Everything that calls actions: our own, the workflows, and what the documents tell users to copy. */
const files = ['action.yml', ...filesBelow('action'), ...filesBelow('docs'), ...filesBelow('.github')].filter(
  (name) => /\.(ya?ml|md)$/.test(name),
);

const calls = files.flatMap((file) =>
  Array.from(
    readFileSync(path.join(repository, file), 'utf8').matchAll(/^ *(?:- )?uses: (.+)$/gm),
    (match) => ({
      file,
      call: match[1] ?? '',
    }),
  ),
);

test('every action is called by a commit with its version beside it, as a tag can be moved', () => {
  expect(calls.length).toBeGreaterThan(8);
  const ours = /^<owner>\/<repository>(\/action\/judge)?@<commit>/;
  const pinned = /^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+/;
  expect(calls.filter(({ call }) => !ours.test(call) && !pinned.test(call))).toEqual([]);
});

test('no checkout leaves a token where the code of a pull request can read it', () => {
  const checkouts = files.flatMap((file) =>
    readFileSync(path.join(repository, file), 'utf8')
      .split(/^ *- /m)
      .filter((step) => step.startsWith('uses: actions/checkout@')),
  );
  expect(checkouts.length).toBeGreaterThan(1);
  expect(checkouts.filter((step) => !step.includes('persist-credentials: false'))).toEqual([]);
});
