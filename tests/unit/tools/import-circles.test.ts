import path from 'node:path';
import { filesBelow, textOf } from '../../support/workspace';

const ROOTS = ['provider', 'review', 'cli', 'policy-pack', 'emulator', 'action'];
const files = new Set(ROOTS.flatMap((root) => filesBelow(root, /(?<!\.d)\.(ts|mjs)$/)));

/** The files that one imports: values and types, at once or late. */
function importsOf(file: string): string[] {
  const names = [...textOf(file).matchAll(/\b(?:from|import|import\(|require\() ?'(\.[^']+)'/g)];
  return names.flatMap(([, name = '']) => {
    const target = path.join(path.dirname(file), name);
    return [target, `${target}.ts`, `${target}/index.ts`].filter((each) => files.has(each));
  });
}

/** The first circle that the imports of a file lead into, or nothing. */
function circleFrom(file: string, way: readonly string[], done: Set<string>): readonly string[] {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
  if (done.has(file)) return [];
  for (const target of importsOf(file)) {
    const circle = circleFrom(target, [...way, file], done);
    if (circle.length > 0) return circle;
  }
  done.add(file);
  return [];
}

test('no imports lead in a circle, those of types included', () => {
  const done = new Set<string>();
  expect([...files].map((file) => circleFrom(file, [], done)).filter(({ length }) => length > 0)).toEqual([]);
  expect(done.size).toBe(files.size);
  expect(importsOf('review/src/findings/catalog.ts').length).toBeGreaterThan(10);
});
