import { sourceOf } from '../../../review/src/preview/preview-step';

const at = (place: string) => ({ sourcePosition: `project:///${place}` });
const sdk = at('node_modules/@pulumi/pulumi/vendor/ts-node@7.0.1/index.js#3009,23');
const outerSdk = at('../node_modules/@pulumi/cmd/run/run.ts#541,33');

// As the CLI writes them: a frame that the SDK cannot place is an empty object.
test.each([
  ['by its name', { ...at('index.ts#4,1'), stackTrace: [at('index.ts#4,1'), {}, sdk] }, 'index.ts:4'],
  ['in a function without a name', { stackTrace: [{}, {}, at('index.ts#6,44'), {}, sdk] }, 'index.ts:6'],
  ['beside the project', { stackTrace: [{}, {}, at('../lib/offices.ts#9,3'), sdk] }, '../lib/offices.ts:9'],
  ['below a similar folder', { stackTrace: [at('my_node_modules/a.ts#1,2')] }, 'my_node_modules/a.ts:1'],
  ['by the SDK only', { stackTrace: [{}, {}, sdk, outerSdk] }, undefined],
  ['in an ES module of a machine', at('file:/home/ci/infra/index.js#7,3'), undefined],
  [
    'in such a module by a function of another file',
    { ...at('dist/file:/ci/make.js#7,3'), stackTrace: [at('dist/file:/ci/make.js#7,3'), at('index.js#9,1')] },
    'index.js:9',
  ],
  ['by nothing', {}, undefined],
  ['by nonsense', { sourcePosition: 7, stackTrace: [null, 'index.ts#1,1', at('index.ts#0,1')] }, undefined],
])('a resource that is placed %s', (_how, state, place) => {
  const source = sourceOf(state);
  expect(source && `${source.file}:${source.line}`).toBe(place);
});
