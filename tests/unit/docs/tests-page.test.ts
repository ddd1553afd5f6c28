import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkout, filesBelow, textOf } from '../../support/workspace';
import { evaluate } from '../tools/tool-module';

const root = path.join(checkout, 'tests');
/** The paths that the page names; `…` repeats the folder of the one before. */
const named = Array.from(
  (textOf('docs/contributing/testing.md').split('\n## Where ')[1] ?? '').matchAll(/`([\w…-]+\/[\w./-]*)`/g),
  ([, name = '']) => name,
).reduce<string[]>((names, name) => {
  const folder = path.dirname(names.at(-1) ?? '');
  return [...names, name.replace('…', folder)];
}, []);

/** The file or the folder that a name on the page stands for. */
const placeOf = (name: string): string | undefined =>
  [`${name}.test.ts`, name]
    .map((file) => path.join(root, file))
    .find((file) => existsSync(file) && (file.endsWith('.ts') || statSync(file).isDirectory()));

test('every path that docs/contributing/testing.md names is there', () => {
  expect(named.length).toBeGreaterThan(80);
  expect(named.filter((name) => placeOf(name) === undefined)).toEqual([]);
});

const tests = filesBelow('tests', /\.test\.ts$/).map((file) => path.join(checkout, file));

test('the page leads to every test', () => {
  const places = named.map((name) => placeOf(name) ?? '');
  expect(tests.length).toBeGreaterThan(200);
  const isReached = (test: string) =>
    places.some((place) => test === place || test.startsWith(path.join(place, '/')));
  expect(tests.filter((test) => !isReached(test))).toEqual([]);
});

test('every folder of tests/ is a suite of CONTRIBUTING, or what suites share', () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const page = textOf('CONTRIBUTING.md');
  const unknown = folders.filter(({ name }) => name !== 'support' && !page.includes(`\`tests/${name}/\``));
  expect(folders.length).toBeGreaterThan(9);
  expect(unknown.map(({ name }) => name)).toEqual([]);
});

test('every file that the run with the plugin leaves out is there', async () => {
  const { value } = await evaluate('../tests/not-natively.mjs', 'Object.keys(tool.notNatively)');
  const patterns = value as string[];
  expect(patterns.length).toBeGreaterThan(10);
  const alternatives = patterns.flatMap((pattern) => {
    const [, before = pattern, inner = '', after = ''] = /^(.*)\((.*)\)(.*)$/.exec(pattern) ?? [];
    return inner.split('|').map((one) => `${before}${one}${after}`);
  });
  const unused = alternatives.filter((one) => !tests.some((file) => new RegExp(`/tests/${one}`).test(file)));
  expect(unused).toEqual([]);
});
