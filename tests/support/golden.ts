import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../../provider/src/resources/provider-reference';
import { testedHost } from './tested-host';
import { checkout } from './workspace';

const folder = path.join(checkout, 'tests', 'engine', 'golden');

/** Whether the golden files should be rewritten instead of compared. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** A report without the differences between hosts: the tokens of the types, and the digests of texts that contain them. */
const ofEitherHost = (text: string): string =>
  text
    .replaceAll('pulumi-nodejs:dynamic/edge-policy:', 'edge-policy:index:')
    .replace(/("finding\/v1": ")\w+/g, '$1');

/** The hashes cover the identifiers of live objects, which the service makes at random. */
const withoutHashes = (text: string): string =>
  text.replace(/(Reviewed plan [`"]|--accept [`"]|"hash": ")\w+/g, '$1…');

const compared = (text: string, host: Host): string => (host === 'native' ? ofEitherHost(text) : text);

/**
 * Compares a whole text with the golden file of that name, or writes the file if `UPDATE_GOLDEN=1` asks for it. The files are
 * those of the dynamic host.
 */
export function expectGolden(name: string, report: string, host: Host = testedHost): void {
  const text = withoutHashes(report);
  const file = path.join(folder, name);
  if (isUpdate && host === 'dynamic') {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(compared(text, host)).toBe(compared(readFileSync(file, 'utf8'), host));
}

/** The names of all golden files. */
export const goldenFiles = (): string[] => readdirSync(folder).sort();
