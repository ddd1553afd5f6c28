import path from 'node:path';
import { folderOf } from '../../support/folder';
import { newest, oldest } from '../../../review/src/preview/cli-range.json';
import { literal } from '../../support/programs';
import { textOf } from '../../support/workspace';
import { evaluate } from './tool-module';

const call = (name: string, ...args: readonly unknown[]): string =>
  `tool.${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;

describe('dependencies', () => {
  const wanted = {
    '': { name: 'root' },
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/native-elsewhere': { version: '1.0.0', optional: true },
    provider: { name: 'provider' },
    'node_modules/provider': { resolved: 'provider', link: true },
  };
  const installed = {
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/provider': { resolved: 'provider', link: true },
  };

  test.each([
    ['are installed when npm says so', installed, true],
    [
      'are others when the content is',
      { ...installed, 'node_modules/a': { version: '1.0.0', integrity: 'b' } },
      false,
    ],
  ])('%s', async (_fact, packages, areInstalled) => {
    const checkout = folderOf({
      'package-lock.json': JSON.stringify({ packages: wanted }),
      'node_modules/.package-lock.json': JSON.stringify({ packages }),
    });
    const { value } = await evaluate('setup/dependencies.mjs', call('areDependenciesInstalled', checkout));
    expect(value).toBe(areInstalled);
  });
});

describe('the Pulumi CLI on PATH', () => {
  const pulumi = (version: string): string => `#!/bin/sh\necho ${version}\n`;
  const complete = {
    'bin/pulumi-language-nodejs': '#!/bin/sh\n',
    'bin/pulumi-resource-pulumi-nodejs': '#!/bin/sh\n',
  };
  const find = (folder: string): ReturnType<typeof evaluate> =>
    evaluate('setup/cli-record.mjs', call('findOnPath', '3.254.0'), { PATH: folder });

  test('is used when it is new enough and complete', async () => {
    const root = folderOf({ 'bin/pulumi': pulumi('v3.1000.1'), ...complete });
    const { value, said } = await find(path.join(root, 'bin'));
    expect(value).toEqual({ root, version: '3.1000.1' });
    expect(said).toBe('');
  });

  test.each([
    ['is too old', { 'bin/pulumi': pulumi('v3.99.0'), ...complete }],
    ['says no version', { 'bin/pulumi': pulumi('unknown'), ...complete }],
    ['has no Node host', { 'bin/pulumi': pulumi('v3.300.1') }],
    ['does not run', { 'bin/pulumi': '#!/bin/sh\nexit 3\n', ...complete }],
  ])('is passed over, with what it must be, when it %s', async (_fact, files) => {
    const root = folderOf(files);
    const { value, said } = await find(path.join(root, 'bin'));
    expect(value).toBeUndefined();
    expect(said).toContain(`not using ${path.join(root, 'bin', 'pulumi')}: it must be 3.254.0 or newer`);
  });
});

describe('the Pulumi CLI from Go modules', () => {
  test.each([
    ['oldest', oldest],
    ['cli', newest],
  ])('tools/pulumi-cli/%s requires the version that the range names', (module, version) => {
    const required = textOf(`tools/pulumi-cli/${module}/go.mod`);
    expect(required).toContain(`require github.com/pulumi/pulumi/pkg/v3 v${version}\n`);
  });

  test('a build says once a minute how far it is, and shows what is no package', async () => {
    const folder = folderOf({
      go: [
        '#!/bin/sh',
        'if [ "$1" = list ]; then printf "true\\nfalse\\ntrue\\ntrue\\n"; exit; fi',
        'printf "example.com/a\\nexample.com/b\\nb.go:1:2: undefined: c\\n" >&2; exit 1',
      ].join('\n'),
    });
    const target = { module: 'cli', package: 'example.com/b', version: '1.0.0', output: 'b' };
    const clock = 'let calls = 0; const now = () => calls++ * 30_000; console.error = console.log';
    const { value, said } = await evaluate(
      'setup/cli-from-go-modules.mjs',
      `(() => { ${clock}; return tool.build(${literal(path.join(folder, 'go'))}, ${literal(target)}, now); })()`,
    );
    expect(value).toBe(false);
    expect(said.split('\n')).toEqual(['setup: 2 of 3 packages compiled', 'b.go:1:2: undefined: c']);
  });
});
