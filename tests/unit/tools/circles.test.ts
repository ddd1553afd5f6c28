import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { checkout, filesBelow } from '../../support/workspace';

/** What a file imports of its own package, types included. */
const importsOf = (file: string): string[] =>
  ts
    .preProcessFile(readFileSync(file, 'utf8'), true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.resolve(path.dirname(file), fileName))
    .flatMap((base) => [`${base}.ts`, path.join(base, 'index.ts')].filter(existsSync));

/** The first way that leads from a file back to itself. */
function circleIn(files: readonly string[]): string[] {
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  const finished = new Set<string>();
  const search = (file: string, way: readonly string[]): string[] => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (finished.has(file)) return [];
    for (const next of imports.get(file) ?? []) {
      const circle = search(next, [...way, file]);
      if (circle.length > 0) return circle;
    }
    finished.add(file);
    return [];
  };
  for (const file of files) {
    const circle = search(file, []);
    if (circle.length > 0) return circle.map((each) => path.relative(checkout, each));
  }
  return [];
}

test.each(['provider/src', 'review/src', 'cli/src', 'policy-pack/src', 'emulator/src'])(
  'no files of %s import each other',
  (folder) => {
    const files = filesBelow(folder, /\.ts$/).map((file) => path.join(checkout, file));
    expect(files.some((file) => importsOf(file).length > 0)).toBe(true);
    expect(circleIn(files)).toEqual([]);
  },
);
