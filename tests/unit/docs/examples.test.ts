import { readdirSync } from 'node:fs';
import path from 'node:path';
import { checkout, filesBelow, textOf } from '../../support/workspace';

const root = path.join(checkout, 'examples');
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const isOfNode = (name: string): boolean =>
  textOf(path.join('examples', name, 'Pulumi.yaml')).includes('nodejs');

/** The packages that the program of an example imports. */
const importsOf = (name: string): string[] =>
  readdirSync(path.join(root, name))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      Array.from(
        textOf(path.join('examples', name, file)).matchAll(/ from '([^'.][^']*)'/g),
        ([, from = '']) => from,
      ),
    )
    .filter((from) => !from.startsWith('node:'));

test('every example has a line in the README of the examples', () => {
  const page = textOf('examples/README.md');
  expect(names.filter((name) => !page.includes(`- [${name}](${name}): `))).toEqual([]);
});

test.each(names.filter(isOfNode))(
  '%s can be copied out of the clone: its package.json names all that it imports',
  (name) => {
    const manifest = JSON.parse(textOf(path.join('examples', name, 'package.json'))) as {
      dependencies: Record<string, string>;
    };
    const imported = new Set(importsOf(name));
    expect(imported.size).toBeGreaterThan(1);
    expect([...imported].filter((from) => !(from in manifest.dependencies))).toEqual([]);
  },
);

/** The code blocks of a page in the languages of the schema's examples; of YAML, those that are programs. */
const programsIn = (page: string): string[] =>
  [...page.matchAll(/```(python|go|yaml)\n([\s\S]*?)```/g)].flatMap(([, language, code = '']) =>
    language === 'yaml' && !code.includes(' edge-policy:') ? [] : [code],
  );

test('programs of the docs in other languages are examples of the schema, which run in every language', () => {
  const examples = filesBelow('tools/schema/examples', /\.md$/).map(textOf).flatMap(programsIn);
  const shown = [...filesBelow('docs', /\.md$/), 'README.md'].map(textOf).flatMap(programsIn);
  expect(shown).not.toEqual([]);
  expect(shown.filter((program) => !examples.includes(program))).toEqual([]);
});
