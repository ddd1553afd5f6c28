// Prints the lowest version of @pulumi/pulumi that the package allows, for a run of the tests on it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const manifest = path.join(import.meta.dirname, '..', 'provider', 'package.json');
const range = JSON.parse(readFileSync(manifest, 'utf8')).peerDependencies['@pulumi/pulumi'];
const [, lowest] = /^>=(\d+\.\d+\.\d+)/.exec(range) ?? [];
if (lowest === undefined) throw new Error(`${manifest}: "${range}" names no lowest version`);
console.log(lowest);
