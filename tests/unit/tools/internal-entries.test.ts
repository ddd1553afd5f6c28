import { filesBelow, textOf } from '../../support/workspace';

const { exports: entries } = JSON.parse(textOf('provider/package.json')) as {
  readonly exports: Readonly<Record<string, unknown>>;
};

const importedBy = (folder: string): string[] =>
  filesBelow(folder, /\.ts$/)
    .flatMap((file) => Array.from(textOf(file).matchAll(/'pulumi-edge-policy\/internal\/([^']+)'/g)))
    .map(([, entry = '']) => entry);

test('the provider lets its sister packages in by exactly the entries that they import', () => {
  const imported = new Set(['cli/src', 'review/src', 'policy-pack/src'].flatMap(importedBy));
  const internal = Object.keys(entries).filter((name) => name.startsWith('./internal/'));
  expect(internal).toEqual([...imported].sort().map((name) => `./internal/${name}`));
  for (const name of internal) expect(entries[name]).toBe(`${name.replace('./internal/', './dist/')}.js`);
});
