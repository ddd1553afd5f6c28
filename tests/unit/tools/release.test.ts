import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { folderOf } from '../../support/folder';
import { checkout, textOf } from '../../support/workspace';

const readJson = (file: string): Record<string, unknown> =>
  JSON.parse(textOf(file)) as Record<string, unknown>;

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly needs?: readonly string[];
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const release = parse(textOf('.github/workflows/release.yml')) as {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
};
const jobs = Object.entries(release.jobs);
const commandsOf = ({ steps }: Job): string => steps.map(({ run = '' }) => run).join('\n');
const canWrite = ({ permissions }: Job): boolean => Object.values(permissions ?? {}).includes('write');

const { version = '' } = readJson('provider/package.json') as { version?: string };

test('whoever tests and packs has no identity and may write nothing', () => {
  expect(release.permissions).toEqual({ contents: 'read' });
  const building = jobs.filter(([, job]) => /npm (?:ci|run|pack|install)|\.ci\/run/.test(commandsOf(job)));
  expect(building.map(([name]) => name).sort()).toEqual(['pack', 'test']);
  expect(building.filter(([, job]) => canWrite(job))).toEqual([]);
});

test('each release says what its packages bring along', () => {
  const [pack = '', publish = ''] = ['pack', 'release'].map((name) =>
    commandsOf(release.jobs[name] ?? { steps: [] }),
  );
  expect(pack).toMatch(
    /npm pack [^]*npm sbom --sbom-format cyclonedx .*> \.\.\/packed\/sbom\.cdx\.json[^]*sha256sum/,
  );
  expect(publish).toMatch(/gh release create .* packed\/sbom\.cdx\.json/);
});

test('whoever publishes is in a protected environment, after the tests, installs nothing, and checks what was packed', () => {
  const writing = jobs.filter(([, job]) => canWrite(job));
  expect(writing.map(([name]) => name)).toEqual(['publish', 'release']);
  for (const [, job] of writing) {
    expect(job.environment).toBe('release');
    expect(commandsOf(job)).not.toMatch(/npm (?:ci|install|run)|npx|node /);
    expect(commandsOf(job)).toContain('sha256sum --check --strict');
  }
  expect(release.jobs['publish']?.needs).toEqual(['test', 'pack', 'start']);
  expect(commandsOf(release.jobs['publish'] ?? { steps: [] })).toContain('--provenance');
  expect(release.jobs['release']?.steps.map(({ uses }) => uses?.split('@', 1)[0])).toContain(
    'actions/attest-build-provenance',
  );
});

describe('our packages ask for each other in exactly their own version', () => {
  const copyOfManifests = (): string => {
    const copy = folderOf({});
    for (const name of [
      'tools/release.mjs',
      'package.json',
      'release.json',
      'provider/schemas/pulumi-schema.json',
    ])
      cpSync(path.join(checkout, name), path.join(copy, name));
    for (const folder of ['provider', 'review', 'cli', 'policy-pack', 'policy-pack/pack', 'emulator'])
      cpSync(path.join(checkout, folder, 'package.json'), path.join(copy, folder, 'package.json'));
    return copy;
  };
  const textOf = (root: string): string => readFileSync(path.join(root, 'review/package.json'), 'utf8');
  const run = (root: string, ...args: string[]) =>
    spawnSync(process.execPath, [path.join(root, 'tools/release.mjs'), ...args], { encoding: 'utf8' });

  test('the pack that is ready to run is of the version of its package', () => {
    const copy = copyOfManifests();
    const [whole, ready] = ['policy-pack', 'policy-pack/pack'].map((folder) =>
      path.join(copy, folder, 'package.json'),
    );
    const read = (file = '') => readFileSync(file, 'utf8');
    writeFileSync(whole ?? '', read(whole).replace(`"version": "${version}"`, '"version": "9.9.9"'));
    expect(run(copy, 'check', `v${version}`).stderr).toContain('policy-pack/pack: is of another version');
    run(copy, 'pin');
    expect(JSON.parse(read(ready))).toMatchObject({
      version: '9.9.9',
      dependencies: { 'pulumi-edge-policy-pack': '9.9.9' },
    });
    expect(run(copy, 'check', `v${version}`).stderr).not.toContain('policy-pack/pack');
  });

  test('a release is refused as long as release.json lacks anything, which is named', () => {
    const copy = copyOfManifests();
    const names = Object.keys(readJson('release.json'));
    const missing = (): string[] =>
      [...run(copy, 'check', 'v0.1.0').stderr.matchAll(/^release\.json: no (\w+);/gm)].map(
        ([, name = '']) => name,
      );
    expect(missing()).toEqual(names);
    const given = Object.fromEntries(names.map((name) => [name, 'given']));
    writeFileSync(path.join(copy, 'release.json'), JSON.stringify(given));
    expect(missing()).toEqual([]);
  });

  test('and a release that asks for any other is refused, until it is put right: then all are as in the repository', () => {
    const copy = copyOfManifests();
    const file = path.join(copy, 'review/package.json');
    writeFileSync(file, textOf(copy).replace(/("pulumi-edge-policy": )"[^"]+"/, '$1">=0.0.1"'));
    expect(run(copy, 'check', 'v0.1.0').stderr).toContain('review: asks for another version of our packages');
    run(copy, 'pin');
    expect(run(copy, 'check', 'v0.1.0').stderr).not.toContain('asks for another version');
    expect(textOf(copy)).toBe(textOf(checkout));
  });
});
