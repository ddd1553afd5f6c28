import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../../support/workspace';

const root = path.join(checkout, 'examples');
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const textOf = (...parts: string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

const isOfNode = (name: string): boolean => textOf(name, 'Pulumi.yaml').includes('nodejs');

/** The packages that the program of an example imports. */
const importsOf = (name: string): string[] =>
  readdirSync(path.join(root, name))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      Array.from(textOf(name, file).matchAll(/ from '([^'.][^']*)'/g), ([, from = '']) => from),
    )
    .filter((from) => !from.startsWith('node:'));

test('every example has a row in the README of the examples', () => {
  const page = textOf('README.md');
  expect(names.filter((name) => !page.includes(`| [${name}](${name})`))).toEqual([]);
});

test.each(names.filter(isOfNode))(
  '%s can be copied out of the clone: its package.json names all that it imports',
  (name) => {
    const manifest = JSON.parse(textOf(name, 'package.json')) as { dependencies: Record<string, string> };
    const imported = new Set(importsOf(name));
    expect(imported.size).toBeGreaterThan(1);
    expect([...imported].filter((from) => !(from in manifest.dependencies))).toEqual([]);
  },
);

test.each(names)('%s needs no configuration: every value has a default', (name) => {
  const sources = readdirSync(path.join(root, name)).filter((file) => /\.(ts|py|go|yaml)$/.test(file));
  const needs = sources.filter((file) => /\.require\(|\bRequire\(/.test(textOf(name, file)));
  expect(needs).toEqual([]);
});
