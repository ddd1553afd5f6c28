import path from 'node:path';
import { withLocalPlaces } from '../../../cli/src/pulumi/local-places';
import { folderOf } from '../../support/folder';

const repository = folderOf(
  {
    '.git/HEAD': '',
    'index.js': '',
    'infra/access/Pulumi.yaml': '',
    'infra/access/main.mjs': '',
    'infra/access/a b/off#ice.js': '',
    'infra/access/typed.ts': '',
    'infra/lib/offices.js': '',
    'infra/index.js': '',
  },
  'file',
);
const noted = (file: string) =>
  JSON.stringify({ sourcePosition: `project:///${file}#7,3`, inputs: { note: 'kept' } }, undefined, 2);
const inModule = (file: string, before = '') =>
  noted(`${before}file:${encodeURI(file).replaceAll('#', '%23').replaceAll('%', '%25')}`);
const placed = (json: string) => withLocalPlaces(json, path.join(repository, 'infra', 'access'));

test.each([
  ['of this checkout', inModule(`${repository}/infra/access/main.mjs`), 'main.mjs'],
  [
    'of a project whose program lies in a folder',
    inModule(`${repository}/infra/access/main.mjs`, 'dist/'),
    'main.mjs',
  ],
  [
    'of this checkout, if its end is also another file',
    inModule(`${repository}/infra/index.js`),
    '../index.js',
  ],
  ['of another checkout', inModule('/home/runner/work/infra/lib/offices.js'), '../lib/offices.js'],
  ['of a checkout on Windows', inModule('/C:/work/infra/access/main.mjs'), 'main.mjs'],
  ['with letters that a URL encodes', inModule('/ci/infra/access/a b/off#ice.js'), 'a%20b/off%23ice.js'],
])('the place in an ES module %s becomes one of the project', (_which, json, file) => {
  expect(placed(json)).toBe(noted(file));
});

test.each([
  ['of a file that is not here', inModule('/ci/infra/access/gone.js')],
  ['whose end is two files', inModule('/ci/infra/index.js')],
  [
    'that leads out of the repository',
    noted(`file:/ci/${path.basename(repository)}/../infra/lib/offices.js`),
  ],
  [
    'in TypeScript, whose lines may be those of the compiler',
    inModule(`${repository}/infra/access/typed.ts`),
  ],
  ['that is malformed', noted('file:/ci/%25zz/main.mjs')],
  ['of a CommonJS module', noted('main.mjs')],
  ['in a text of the program', JSON.stringify({ description: inModule('/ci/infra/lib/offices.js') })],
])('a place %s stays as it is', (_which, json) => {
  expect(placed(json)).toBe(json);
});

test('without a project nothing is replaced', () => {
  const json = inModule(`${repository}/infra/access/main.mjs`);
  expect(withLocalPlaces(json, undefined)).toBe(json);
});
