import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../../support/workspace';

const { exports: entries } = JSON.parse(
  readFileSync(path.join(checkout, 'provider/package.json'), 'utf8'),
) as { readonly exports: Readonly<Record<string, unknown>> };

const importedBy = (folder: string): string[] =>
  readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(checkout, folder, name), 'utf8'))
    .flatMap((text) => Array.from(text.matchAll(/'pulumi-edge-policy\/internal\/([^']+)'/g)))
    .map(([, entry = '']) => entry);

test('the provider lets its sister packages in by exactly the entries that they import', () => {
  const imported = new Set(['cli/src', 'review/src', 'policy-pack/src'].flatMap(importedBy));
  const internal = Object.keys(entries).filter((name) => name.startsWith('./internal/'));
  expect(internal).toEqual([...imported].sort().map((name) => `./internal/${name}`));
  for (const name of internal) expect(entries[name]).toBe(`${name.replace('./internal/', './dist/')}.js`);
});
