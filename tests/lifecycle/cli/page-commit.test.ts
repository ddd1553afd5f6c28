import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lastCommit } from '../../../cli/src/page/last-commit';
import { Repository } from '../../support/repository';

const commitOf = ({ line, environment }: Repository, more: Readonly<Record<string, string>> = {}) =>
  lastCommit(line.folder, { environment: { ...environment, ...more } });

test('the last commit and its time, of this repository whatever the environment names', async () => {
  const repository = new Repository();
  expect(await commitOf(repository)).toBeUndefined();
  repository.commit('Ada', 'Begin', { 'index.ts': 'export {};\n' });
  const hash = repository.commit('Grace', 'Go on', { 'index.ts': '\n' });
  expect(await commitOf(repository, { GIT_DIR: '/nowhere' })).toEqual({
    hash,
    date: expect.stringMatching(/^2026-03-12T12:00:00(?:Z|\+00:00)$/) as string,
  });
});

test('undefined without a repository, and without git', async () => {
  const repository = new Repository();
  repository.commit('Ada', 'Begin', { 'index.ts': '' });
  expect(await commitOf(repository, { PATH: path.join(repository.line.folder, '.bin') })).toBeUndefined();
  rmSync(path.join(repository.line.folder, '.git'), { recursive: true });
  expect(await commitOf(repository)).toBeUndefined();
});

/** A repository whose configuration names a command wherever one can be named. */
const armed = () => {
  const repository = new Repository();
  const marker = path.join(repository.line.folder, '.bin', 'was-run');
  const script = path.join(repository.line.folder, '.bin', 'evil');
  mkdirSync(path.dirname(script));
  writeFileSync(script, `#!/bin/sh\ntouch ${marker}\ncat "$@" </dev/null\n`, { mode: 0o755 });
  const hash = repository.commit('Ada', 'Allow the office', {
    'index.ts': 'export {};\n',
    '.gitattributes': '* diff=evil filter=evil\n',
  });
  const hooks = path.join(repository.line.folder, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'pre-auto-gc'])
    writeFileSync(path.join(hooks, hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  const programs =
    'core.fsmonitor core.pager core.editor core.sshCommand core.alternateRefsCommand diff.external diff.evil.command ' +
    'diff.evil.textconv gpg.program pager.log filter.evil.clean filter.evil.smudge filter.evil.process credential.helper';
  const set = (name: string, value: string) => repository.git('config', name, value);
  for (const name of programs.split(' ')) set(name, script);
  set('log.showSignature', 'true');
  set('log.diffMerges', 'on');
  set('alias.log', `!${script}`);
  set('color.ui', 'always');
  rmSync(marker, { force: true });
  return { repository, marker, hash, set };
};

test('nothing that the repository names is run: hooks, filters, pagers, monitors, conversions; and nothing is written', async () => {
  const { repository, marker, hash } = armed();
  const folder = path.join(repository.line.folder, '.git');
  const times = () => readdirSync(folder).map((name) => statSync(path.join(folder, name)).mtimeMs);
  const before = times();
  expect(await commitOf(repository)).toMatchObject({ hash });
  expect(times()).toEqual(before);
  expect(existsSync(marker)).toBe(false);
  // The same question to git alone runs it.
  expect(() => repository.git('log', '-1', '-p', '--ext-diff')).toThrow();
  expect(existsSync(marker)).toBe(true);
});

test('the commit that a partial clone lacks is not fetched by a command of its remote', async () => {
  const { repository, marker, hash, set } = armed();
  const full = repository.git('rev-parse', hash);
  set('extensions.partialClone', 'origin');
  set('remote.origin.url', `ext::${path.join(repository.line.folder, '.bin', 'evil')}`);
  set('remote.origin.promisor', 'true');
  set('protocol.ext.allow', 'always');
  set('core.repositoryFormatVersion', '1');
  const lacking = path.join(repository.line.folder, '.git', 'objects', full.slice(0, 2), full.slice(2));
  rmSync(lacking, { force: true });
  rmSync(marker, { force: true });
  expect(await commitOf(repository)).toBeUndefined();
  expect(existsSync(marker)).toBe(false);
  expect(() => repository.git('fetch', 'origin')).toThrow();
  expect(existsSync(marker)).toBe(true);
});
