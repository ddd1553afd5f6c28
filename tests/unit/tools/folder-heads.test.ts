import path from 'node:path';
import { filesBelow, textOf } from '../../support/workspace';
import { evaluate } from './tool-module';

/** Folders of sources that have a head each, as have the folders below them. */
const roots = [
  ...['provider/src', 'review/src', 'cli/src', 'policy-pack/src', 'emulator/src', 'action'],
  ...['tests/support', 'tests/simulation'],
];
/** A package's list of exports, the manifest of an action, and data. */
const withoutHead = new Set(['provider/src', 'action/judge', 'tests/simulation/regressions']);

const files = roots.flatMap((root) => filesBelow(root, /\.(ts|mjs)$/));

/** The two lines at the head of a folder's main file. */
function headsOf(folder: string): { readonly file: string; readonly mustNotKnow: string }[] {
  const own = files.filter((file) => path.dirname(file) === folder);
  return own.flatMap((file) => {
    const [first = '', second = ''] = textOf(file).split('\n');
    if (!first.startsWith('// What for: ')) return [];
    return [{ file, mustNotKnow: second.startsWith('// Must not know: ') ? second : '' }];
  });
}

const all = [...new Set(files.map((file) => path.dirname(file)))].filter(
  (folder) => !withoutHead.has(folder),
);

test('every folder says in two lines, at the head of one file, what it is for and what it must not know', () => {
  expect(all.length).toBeGreaterThan(50);
  const wrong = all.filter((folder) => {
    const heads = headsOf(folder);
    return heads.length !== 1 || heads[0]?.mustNotKnow === '';
  });
  expect(wrong).toEqual([]);
});

test('the head is in `command.ts`, in the file with the name of its folder, or in the one that the design names', () => {
  const design = textOf('docs/design.md');
  const wrong = all.filter((folder) => {
    const file = headsOf(folder)[0]?.file ?? '';
    if (folder.startsWith('tests/')) return false;
    if (folder.startsWith('cli/') && files.includes(`${folder}/command.ts`))
      return !file.endsWith('/command.ts');
    const plain = (each: string) => path.basename(each.replace(/\/src$/, '')).replace(/s?(\.\w+)?$/, '');
    const hasName = plain(file).startsWith(plain(folder)) || plain(file).endsWith(plain(folder));
    return (
      !hasName && ![file, file.replace(/^.+?\/src\//, '')].some((name) => design.includes(`\`${name}\``))
    );
  });
  expect(wrong).toEqual([]);
});

test('what a folder must not know is what its lint rule forbids', async () => {
  const { value } = await evaluate('../eslint.config.mjs', '[tool.reach, tool.reviewReach, tool.cliReach]');
  const [ofProvider, ofReview, ofCli] = value as Record<string, readonly string[]>[];
  const tables = { 'provider/src': ofProvider ?? {}, 'review/src': ofReview ?? {}, 'cli/src': ofCli ?? {} };
  const wrong = Object.entries(tables).flatMap(([source, table]) =>
    Object.entries(table).flatMap(([folder, reachable]) => {
      const line = headsOf(`${source}/${folder}`)[0]?.mustNotKnow ?? '';
      const named = [...line.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
      const known = named.filter((name) => reachable.includes(name));
      const missing = named.filter((name) => !all.includes(`${source}/${name}`));
      const isTold = reachable.length === 0 ? line.includes('any other folder') : named.length > 0;
      return isTold && known.length + missing.length === 0 ? [] : [`${source}/${folder}: ${line}`];
    }),
  );
  expect(Object.keys({ ...ofProvider, ...ofReview, ...ofCli }).length).toBeGreaterThan(25);
  expect(wrong).toEqual([]);
});
