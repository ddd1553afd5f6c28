import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { policyId } from '../../support/ids';
import { Repository } from '../../support/repository';
import { resource } from '../../support/state-resource';
import { rule } from '../../unit/review/preview-builder';

const CIDR = '203.0.113.0/24';
const office = (line?: number, cidr = CIDR) => ({
  ...resource('IpPolicyRule', 'office', rule(cidr, 'allow', policyId), line),
  ...(line === undefined && { sourcePosition: undefined }),
});

const program = (...networks: readonly string[]): string =>
  [
    "import * as edge from 'pulumi-edge-policy';",
    ...networks.map((cidr) => `new Rule({ cidr: '${cidr}' });`),
    '',
  ].join('\n');

describe('the line that decides, and the commit that brought it', () => {
  test('of the program, nearest to where the resource is made, wherever it has moved to', async () => {
    const repository = new Repository(office(2));
    repository.commit('Ada', 'Begin', { 'index.ts': program() });
    const hash = repository.commit('Grace', 'Allow the Vienna office', { 'index.ts': program(CIDR) });
    repository.commit('Linus', 'Allow another', {
      'index.ts': `${program('192.0.2.0/24', CIDR)}// not the line of ${CIDR}\n`,
      'notes.md': CIDR,
    });
    // Git would look there, and nowhere else.
    repository.line.setEnvironment('GIT_DIR', '/nowhere');
    expect(await repository.blame()).toBe(
      `let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24" of "office" (index.ts:2)\n` +
        `        index.ts:3 is from ${hash} of 2026-03-12 by Grace: "Allow the Vienna office"\n`,
    );
  });

  test('of the one tracked file with the network, such as a list or the lock of a feed', async () => {
    const repository = new Repository(office(1));
    repository.commit('Ada', 'Begin', { 'index.ts': program(), 'lists/offices.json': '[\n]\n' });
    const hash = repository.commit('Grace', 'Vienna', { 'lists/offices.json': `[\n  "${CIDR}"\n]\n` });
    repository.line.write('not-tracked.txt', CIDR);
    expect(await repository.blame()).toContain(`lists/offices.json:2 is from ${hash}`);
  });

  test('of the program, where the network appears in several other files', async () => {
    const repository = new Repository(office(1));
    const hash = repository.commit('Ada', 'Begin', { 'index.ts': program(), a: CIDR, b: CIDR });
    expect(await repository.blame()).toContain(`index.ts:1 is from ${hash}`);
  });

  test('an address is found without its mask, and not as a part of another', async () => {
    const repository = new Repository(office(undefined, '203.0.113.7/32'));
    repository.commit('Ada', 'Begin', {
      others: '203.0.113.70\n1203.0.113.7\n203.0.113.7/31\n203.0.113.7.1\n',
    });
    const hash = repository.commit('Grace', 'One', { list: 'x\n203.0.113.7\n' });
    expect(await repository.blame()).toContain(`list:2 is from ${hash}`);
  });

  test('in a folder of a monorepo, by paths of the repository', async () => {
    const repository = new Repository(office(2));
    const hash = repository.commit('Ada', 'Begin', {
      'infra/index.ts': program(CIDR),
      'infra/Pulumi.yaml': 'name: project\nruntime: nodejs\n',
    });
    expect(await repository.blame('203.0.113.7', '--cwd', 'infra')).toContain(
      `infra/index.ts:2 is from ${hash}`,
    );
  });

  test('as JSON', async () => {
    const repository = new Repository(office(2));
    const commit = repository.commit('Ada', 'Begin', { 'index.ts': program(CIDR) });
    const json = JSON.parse(await repository.blame('203.0.113.7', '--json')) as object;
    const blame = { file: 'index.ts', line: 2, commit, date: '2026-03-11', author: 'Ada', subject: 'Begin' };
    expect(json).toMatchObject({ subjects: [{ answers: [{ blame }] }] });
  });
});

describe('what it cannot tell, it says', () => {
  test.each([
    [
      'a folder without a repository',
      (it: Repository) => {
        rmSync(path.join(it.line.folder, '.git'), { recursive: true });
      },
      'git says: not a git repository',
    ],
    [
      'a machine without git',
      (it: Repository) => void it.line.setEnvironment('PATH', path.join(it.line.folder, '.bin')),
      'git is not installed',
    ],
    [
      'a network that is not committed',
      () => undefined,
      'the last commit does not contain the network as text',
    ],
    [
      'one that stands in several places',
      (it: Repository) => void it.commit('Ada', 'Twice', { a: CIDR, b: CIDR }),
      'the network appears in 2 places, such as a:1',
    ],
  ])('%s', async (_, arrange, problem) => {
    const repository = new Repository(office());
    repository.commit('Ada', 'Begin', { 'index.ts': program() });
    arrange(repository);
    expect(await repository.blame()).toContain(`who let this in is not known: ${problem}`);
  });

  test('a shallow clone, with what fetches the rest', async () => {
    const origin = new Repository();
    origin.commit('Ada', 'Allow the office', { 'index.ts': program(CIDR) });
    origin.commit('Grace', 'Notes', { notes: '' });
    const clone = new Repository(office(2));
    rmSync(path.join(clone.line.folder, '.git'), { recursive: true });
    clone.git('init', '-q');
    clone.git('fetch', '-q', '--depth', '1', `file://${origin.line.folder}`, 'HEAD');
    clone.git('reset', '-q', '--hard', 'FETCH_HEAD');
    expect(await clone.blame()).toContain('not known: this clone is shallow: fetch its history with');
    clone.git('fetch', '-q', '--unshallow', `file://${origin.line.folder}`);
    expect(await clone.blame()).toMatch(/by Ada: "Allow the office"\n$/);
  });
});

describe('nothing of the repository is run', () => {
  /** A repository whose configuration names a command wherever one can be named. */
  const armed = () => {
    const repository = new Repository(office(2));
    const marker = path.join(repository.line.folder, '.bin', 'was-run');
    const script = path.join(repository.line.folder, '.bin', 'evil');
    mkdirSync(path.dirname(script));
    writeFileSync(script, `#!/bin/sh\ntouch ${marker}\ncat "$@" </dev/null\n`, { mode: 0o755 });
    const hash = repository.commit('Ada', 'Allow the office', {
      'index.ts': program(CIDR),
      '.gitattributes': '* diff=evil filter=evil\n',
      '.mailmap': 'Somebody Else <a@a>\n',
    });
    const hooks = path.join(repository.line.folder, '.git', 'hooks');
    mkdirSync(hooks, { recursive: true });
    for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction', 'pre-auto-gc'])
      writeFileSync(path.join(hooks, hook), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
    const programs =
      'core.fsmonitor core.pager core.editor core.sshCommand core.alternateRefsCommand diff.external diff.evil.command ' +
      'diff.evil.textconv gpg.program pager.blame pager.grep filter.evil.clean filter.evil.smudge filter.evil.process ' +
      'sequence.editor credential.helper';
    for (const [name, value] of programs
      .split(' ')
      .map((name) => [name, script] as const)
      .concat([
        ['log.showSignature', 'true'],
        ['core.attributesFile', path.join(repository.line.folder, '.gitattributes')],
        ['alias.blame', `!${script}`],
        ['submodule.recurse', 'true'],
        ['color.ui', 'always'],
      ]))
      repository.git('config', name, value);
    rmSync(marker, { force: true });
    return { repository, marker, hash };
  };

  test('hooks, filters, pagers, monitors, conversions; names come from the commit', async () => {
    const { repository, marker, hash } = armed();
    const answer = await repository.blame();
    expect(existsSync(marker)).toBe(false);
    expect(answer).toContain(`index.ts:2 is from ${hash} of 2026-03-11 by Ada: "Allow the office"`);
    // The same question to git alone runs it.
    expect(() => repository.git('blame', '--', 'index.ts')).toThrow();
    expect(existsSync(marker)).toBe(true);
  });

  test('what a partial clone lacks is not fetched by a command of its remote', async () => {
    const { repository, marker } = armed();
    const objects = path.join(repository.line.folder, '.git', 'objects');
    const blob = repository.git('rev-parse', 'HEAD:index.ts');
    for (const [name, value] of [
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', `ext::${path.join(repository.line.folder, '.bin', 'evil')}`],
      ['remote.origin.promisor', 'true'],
      ['protocol.ext.allow', 'always'],
      ['core.repositoryFormatVersion', '1'],
    ] as const)
      repository.git('config', name, value);
    rmSync(path.join(objects, blob.slice(0, 2), blob.slice(2)), { force: true });
    rmSync(marker, { force: true });
    expect(await repository.blame()).toMatch(/who let this in is not known: /);
    expect(existsSync(marker)).toBe(false);
    expect(() => repository.git('fetch', 'origin')).toThrow();
    expect(existsSync(marker)).toBe(true);
  });

  test('nothing is written', async () => {
    const { repository } = armed();
    const times = () =>
      readdirSync(path.join(repository.line.folder, '.git')).map(
        (name) => statSync(path.join(repository.line.folder, '.git', name)).mtimeMs,
      );
    const before = times();
    await repository.blame();
    expect(times()).toEqual(before);
  });
});
