// `npm run bundle:review`: the review in one file, as the action runs it. Only the commits that workflows call the action by contain it
// (`tools/action-branch.mjs`, `release.yml`): `action/dist/` is ignored, and main contains no compiled code.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, checkout, commandLineEntry, writeLicences } from './bundling.mjs';

const target = path.resolve(process.argv[2] ?? path.join(checkout, 'action', 'dist'));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const packages = await bundle({ entry: commandLineEntry, outfile: path.join(target, 'edge-policy.cjs') });
writeLicences(packages, target);
// Independent of the package.json of any folder above.
writeFileSync(path.join(target, 'package.json'), '{ "type": "commonjs" }\n');
console.log(path.join(target, 'edge-policy.cjs'));
