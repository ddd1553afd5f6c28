import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../../support/folder';
import { evaluate } from './tool-module';

const call = (name: string, ...args: readonly unknown[]): string =>
  `tool.${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;

describe('versions', () => {
  test.each([
    ['3.259.0', '3.254.0', true],
    ['v3.254.0', '3.254.0', true],
    ['3.253.9', '3.254.0', false],
    ['4.0.0', '3.254.0', true],
    ['3.260.0-alpha.1', '3.254.0', true],
    ['go1.26.8', '1.26', true],
    ['go1.9', '1.26', false],
    ['20.19.0', '20.19.0', true],
    ['20.9.0', '20.19.0', false],
    ['', '1.0', false],
    ['unknown', '0.0', false],
  ])('%j compared with %j', async (version, oldest, isNewEnough) => {
    const { value } = await evaluate('setup/version.mjs', call('isAtLeast', version, oldest));
    expect(value).toBe(isNewEnough);
  });
});

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
    ['are missing when npm has never run', undefined, false],
    ['are missing when one is', { 'node_modules/provider': installed['node_modules/provider'] }, false],
    [
      'are outdated when one is',
      { ...installed, 'node_modules/a': { version: '0.9.0', integrity: 'sha512-a' } },
      false,
    ],
    [
      'are others when the content is',
      { ...installed, 'node_modules/a': { version: '1.0.0', integrity: 'b' } },
      false,
    ],
  ])('%s', async (_fact, packages, areInstalled) => {
    const checkout = folderOf({
      'package-lock.json': JSON.stringify({ packages: wanted }),
      ...(packages === undefined ? {} : { 'node_modules/.package-lock.json': JSON.stringify({ packages }) }),
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
    const root = folderOf({ 'bin/pulumi': pulumi('v3.300.1'), ...complete });
    const { value, said } = await find(path.join(root, 'bin'));
    expect(value).toEqual({ root, version: '3.300.1' });
    expect(said).toBe('');
  });

  test('is used where a link on PATH leads', async () => {
    const root = folderOf({ 'cellar/bin/pulumi': pulumi('v3.300.1') });
    for (const [name, text] of Object.entries(complete)) {
      writeFileSync(path.join(root, 'cellar', name), text, { mode: 0o755 });
    }
    mkdirSync(path.join(root, 'bin'));
    symlinkSync(path.join(root, 'cellar/bin/pulumi'), path.join(root, 'bin/pulumi'));
    const { value } = await find(path.join(root, 'bin'));
    expect(value).toMatchObject({ root: path.join(root, 'cellar') });
  });

  test.each([
    ['is too old', { 'bin/pulumi': pulumi('v3.200.0'), ...complete }],
    ['has no Node host', { 'bin/pulumi': pulumi('v3.300.1') }],
    ['does not run', { 'bin/pulumi': '#!/bin/sh\nexit 3\n', ...complete }],
  ])('is passed over, with what it must be, when it %s', async (_fact, files) => {
    const root = folderOf(files);
    const { value, said } = await find(path.join(root, 'bin'));
    expect(value).toBeUndefined();
    expect(said).toContain(`not using ${path.join(root, 'bin', 'pulumi')}: it must be 3.254.0 or newer`);
  });

  test('is nothing to talk about when there is none', async () => {
    expect(await find(folderOf({}))).toEqual({ value: undefined, said: '' });
  });
});
