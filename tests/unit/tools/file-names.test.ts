import path from 'node:path';
import { filesBelow } from '../../support/workspace';

const sources = [
  ...['provider/src', 'review/src', 'cli/src', 'policy-pack/src', 'emulator/src', 'action', 'bench', 'tools'],
].flatMap((folder) => filesBelow(folder, /\.(ts|mjs)$/));

/** Names that mean the same thing in every folder. */
const shared: Readonly<Record<string, string>> = {
  index: 'what a package exports',
  main: 'what starts a program',
  command: 'a command of a command line',
  options: 'the options of the command in its folder',
  cidr: 'networks; the emulator reads them by itself',
  identifiers: 'ids of the service; the emulator checks them by itself',
  'module-kind': 'what a kind of module says of itself; the emulator reads it from the document by itself',
  modules: 'every kind of module; the emulator has a list of its own',
};

/** A noun of the service: its class, its lifecycle, its routes. */
const isNoun = (name: string): boolean => /^(ip-policy|tcp-edge|https-edge)/.test(name);

test('no two files have one name, unless it means the same thing', () => {
  const files = new Map<string, string[]>();
  for (const file of sources) {
    const name = path.basename(file);
    files.set(name, [...(files.get(name) ?? []), file]);
  }
  expect(files.size).toBeGreaterThan(400);
  const twice = [...files].filter(([, { length }]) => length > 1);
  expect(twice.filter(([name]) => !(path.parse(name).name in shared) && !isNoun(name))).toEqual([]);
});
