import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { rulesFrom } from '../../../provider/src';
import { systemClock } from '../../../provider/src/api/clock';
import { CommandLine, noted, printed } from '../../support/command-line';
import { checkout } from '../../support/workspace';

const START = Date.parse('2026-11-25T21:04:10Z');
const VENDOR = '198.51.100.7';
const ENTRY = `"${VENDOR}/32": {}`;
const REASON = ['--for', '4h', '--reason', 'vendor on call'];

/** A file with these lists; the last member of each is its action. */
const lists = (ofLists: Readonly<Record<string, readonly string[]>>): string =>
  [
    '{',
    ...Object.entries(ofLists).flatMap(([name, members]) => [
      `  "${name}": {`,
      ...members.map((member, at) =>
        at < members.length - 1 ? `    ${member},` : `    "action": "${member}"`,
      ),
      '  },',
    ]),
    '  "$schema": "node_modules/pulumi-edge-policy/schemas/lists-1.json"',
    '}',
    '',
  ].join('\n');

/** A folder in a git repository, without a project, a stack, settings, or a CLI of Pulumi. */
class Folder {
  readonly line = new CommandLine();
  nowMs = START;

  constructor(file?: string) {
    this.line.setEnvironment('PATH', process.env['PATH'] ?? '').setEnvironment('HOME', this.line.folder);
    this.line.write('.gitconfig', '[user]\nname = Ada\nemail = ada@example.com\n');
    this.line.engine = {
      clock: { ...systemClock, epochMs: () => this.nowMs },
      pulumi: (args) => Promise.reject(new Error(`pulumi ${args.join(' ')}`)),
    };
    if (file !== undefined) this.line.write('exceptions.json', file);
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      ...{ cwd: this.line.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      env: { PATH: process.env['PATH'] ?? '', HOME: this.line.folder },
    });
  }

  commit(subject: string): void {
    this.git('add', 'exceptions.json');
    this.git('commit', '-q', '--no-verify', '-m', subject);
  }

  grant(address: string, ...more: readonly string[]) {
    return this.line.run('grant', address, ...REASON, ...more);
  }

  get file(): string {
    return this.line.read('exceptions.json');
  }

  get networks(): readonly string[] {
    return Array.from(this.file.matchAll(/"([\d.]+)\/32"/g), ([, network = '']) => network);
  }

  at(...names: readonly string[]): string {
    return path.join(this.line.folder, ...names);
  }

  /** Runs a command in a process of its own, which is killed before its n-th call of `node:fs` that concerns the file. */
  async apart(
    args: readonly string[],
    killAt = 0,
  ): Promise<{ readonly code: unknown; readonly stderr: string }> {
    const support = path.join(checkout, 'tests', 'support');
    const hooks = ['typescript-require.cjs', 'kill-at.cjs'].flatMap((hook) => [
      '-r',
      path.join(support, hook),
    ]);
    const env = { PATH: process.env['PATH'], HOME: this.line.folder, KILL_AT: `exceptions.json ${killAt}` };
    try {
      const main = path.join(checkout, 'cli', 'src', 'main.ts');
      const { stderr } = await promisify(execFile)(process.execPath, [...hooks, main, ...args], {
        ...{ cwd: this.line.folder, env },
      });
      return { code: 0, stderr };
    } catch (error) {
      const { code, signal, stderr } = error as { code?: unknown; signal?: unknown; stderr: string };
      return { code: signal ?? code, stderr };
    }
  }
}

test('grant: one line in the file, the text of the pull request, and the next command; nothing else is asked', async () => {
  const folder = new Folder();
  const granted = await folder.grant(VENDOR, '--ticket', 'OPS-7');
  expect(granted).toMatchObject(
    noted(0, /^exceptions\.json was written.*\n.*\| npx --no-install pulumi-edge-policy-cli review -\n$/),
  );
  expect(folder.file).toBe(
    lists({
      exceptions: [
        '"198.51.100.7/32": { "until": "2026-11-26T01:05:00Z", "reason": "vendor on call", "owner": "Ada <ada@example.com>", "ticket": "OPS-7" }',
        'allow',
      ],
    }),
  );
  expect(granted.stdout).toBe(
    'Let 198.51.100.7/32 in until 2026-11-26T01:05:00Z: vendor on call\n\n' +
      '- Network: `198.51.100.7/32`, in the list exceptions of `exceptions.json`\n' +
      '- Until: 2026-11-26T01:05:00Z, 4 h from now\n' +
      '- Asked by: Ada <ada@example.com>, according to the git identity, which is no proof\n' +
      '- Ticket: OPS-7\n',
  );
  const again = await folder.grant(VENDOR, '--for', '3653d');
  expect(again.stdout).toContain('until 2036-11-25T21:05:00Z');
  expect(folder.networks).toEqual([VENDOR]);
});

test.each<[string[], string | RegExp]>([
  [[VENDOR], 'are exceptions, blocked: name one with --list, or add "NAME": { "action": "allow" }'],
  [[VENDOR, '--list', 'x'], 'or add "x": { "action": "allow" } to the file'],
  [[VENDOR, '--list', 'blocked'], 'would keep 198.51.100.7/32 out'],
  [['192.0.2.0/24', '--list', 'exceptions'], 'would end its access'],
  [['192.0.2.9/24'], '192.0.2.0/24'],
  [[VENDOR, '--for', '4 hours'], 'such as 90m, 4h, 2d or 1w'],
  [[VENDOR, '--for', '9999w'], 'at most ten years'],
  [[VENDOR, '--for', '3654d'], 'at most ten years'],
  [[VENDOR, '--list', 'exceptions', '--apply'], 'unknown option'],
  [[VENDOR, '--reason', 'a\nb'], 'one line'],
  [
    [VENDOR, '--list', 'exceptions', '--reason', 'x'.repeat(256)],
    /lists\.exceptions\["198\.51\.100\.7\/32"\]\.reason: .*255/,
  ],
  [
    [VENDOR, '--file', 'none/exceptions.json'],
    /none\/exceptions\.json cannot be written: its folder is not there/,
  ],
])('grant %j: refused in one sentence, and nothing is written', async (args, message) => {
  const text = '{ "exceptions": { "192.0.2.0/24": {}, "action": "allow" }, "blocked": { "action": "deny" } }';
  const folder = new Folder(text);
  expect(await folder.grant(...(args as [string]))).toMatchObject(noted(3, message));
  expect(folder.file).toBe(text);
  expect(() => statSync(folder.at('exceptions.json.lock'))).toThrow('ENOENT');
});

test('grant needs an identity of git, on one line; to take access away, nobody needs one', async () => {
  const folder = new Folder(lists({ exceptions: [ENTRY, 'allow'] }));
  folder.line.write('.gitconfig', '[user]\nname = "Ada\\n- Ticket: OPS-7"\nemail = ada@example.com\n');
  expect((await folder.grant('192.0.2.1')).stdout).not.toMatch(/^- Ticket/m);
  folder.line.write('.gitconfig', '');
  expect(await folder.grant('192.0.2.2')).toMatchObject(noted(3, 'git does not know who you are'));
  expect(await folder.line.run('revoke', VENDOR)).toMatchObject({ exitCode: 0 });
  expect(folder.networks).toEqual(['192.0.2.1']);
});

describe('who still gets in, and who does not', () => {
  const text = lists({
    blocked: ['"198.51.100.0/24": {}', '"198.51.100.7/32": {}', '"203.0.113.0/24": {}', 'deny'],
    exceptions: ['"203.0.113.9/32": {}', 'allow'],
    offices: [
      '"198.51.100.6/31": {}',
      '"198.51.100.7/32": { "until": "2026-11-25" }',
      '"203.0.113.8/29": {}',
      '"203.0.113.9/32": {}',
      'allow',
    ],
    old: [
      '"198.51.100.0/28": { "until": "2020-01-01" }',
      '"203.0.113.9/32": { "until": "2020-01-01" }',
      'allow',
    ],
  });

  test('grant names the entries of deny lists that cover the address, in the pull request and beside it', async () => {
    const folder = new Folder(text);
    const granted = await folder.grant(VENDOR, '--list', 'exceptions');
    const named = '`198.51.100.0/24` in the list blocked, `198.51.100.7/32` in the list blocked';
    expect(granted).toMatchObject(printed(0, `- Kept out all the same, where a deny wins, by: ${named}\n`));
    expect(granted.stderr).toContain(named);
    expect(await folder.grant('192.0.2.7', '--list', 'exceptions')).not.toMatchObject(printed(0, 'Kept out'));
  });

  test('revoke leaves deny lists alone', async () => {
    const folder = new Folder(text);
    const revoked = await folder.line.run('revoke', VENDOR);
    expect(revoked).toMatchObject(printed(0, 'no longer in the list offices of'));
    expect(folder.file.match(/"198\.51\.100\.7\/32"/g)).toHaveLength(1);
    expect(folder.file).toContain('    "198.51.100.7/32": {},\n    "203.0.113.0/24"');
    const before = folder.file;
    expect(await folder.line.run('revoke', VENDOR)).toMatchObject(
      noted(
        3,
        /is in no list of exceptions\.json that allows, but in "blocked", which has "action": "deny": name it with --list/,
      ),
    );
    expect(folder.file).toBe(before);
  });

  test('revoke --list of a deny list says that the address gets in again', async () => {
    const folder = new Folder(text);
    const revoked = await folder.line.run('revoke', VENDOR, '--list', 'blocked');
    expect(revoked).toMatchObject(
      printed(
        0,
        /no longer in the list blocked.*\n- The list denies: the address is let in again as far as rules allow\n- Still/s,
      ),
    );
    expect(folder.file.match(/"198\.51\.100\.7\/32"/g)).toHaveLength(1);
    expect(folder.file).toContain('"198.51.100.7/32": { "until": "2026-11-25" }');
  });

  test('revoke names the entries of the file that still let it in, unless they have ended', async () => {
    const folder = new Folder(text);
    expect(await folder.line.run('revoke', '203.0.113.9', '--list', 'exceptions')).toMatchObject(
      printed(
        0,
        '- Still let in by: `203.0.113.8/29` in the list offices, `203.0.113.9/32` in the list offices\n',
      ),
    );
    // Of a wider network, what is left is a part.
    expect(await folder.line.run('revoke', '203.0.113.8/29', '--list', 'offices')).toMatchObject(
      printed(0, '- Still let in by: `203.0.113.9/32` in the list offices\n'),
    );
    expect((await folder.line.run('revoke', '203.0.113.9')).stdout).not.toContain('Still');
  });
});

describe('the file', () => {
  test('an edit follows a link, and keeps the mode of the file whatever the umask is', async () => {
    const folder = new Folder();
    mkdirSync(folder.at('shared'));
    folder.line.write('shared/lists.json', lists({ exceptions: ['allow'] }));
    symlinkSync('shared/lists.json', folder.at('exceptions.json'));
    for (const mode of [0o600, 0o666]) {
      chmodSync(folder.at('shared/lists.json'), mode);
      expect(await folder.grant(`192.0.2.${mode % 100}`)).toMatchObject({ exitCode: 0 });
      expect(statSync(folder.at('shared/lists.json')).mode & 0o777).toBe(mode);
    }
    expect(lstatSync(folder.at('exceptions.json')).isSymbolicLink()).toBe(true);
    expect(folder.line.read('shared/lists.json').match(/192\.0\.2\./g)).toHaveLength(2);
  });

  test('a link that leads nowhere is no file, and does not become one', async () => {
    const folder = new Folder();
    symlinkSync('nowhere.json', folder.at('exceptions.json'));
    expect(await folder.grant(VENDOR)).toMatchObject(noted(3, 'is a link that leads to no file'));
    expect(lstatSync(folder.at('exceptions.json')).isSymbolicLink()).toBe(true);
  });

  test('a lock of another command is named with the way out, and never taken', async () => {
    const before = lists({ exceptions: [ENTRY, 'allow'] });
    const folder = new Folder(before);
    folder.line.write('exceptions.json.lock', '');
    for (const args of [
      ['grant', '192.0.2.1', ...REASON],
      ['revoke', VENDOR],
      ['grants', '--prune'],
    ])
      expect(await folder.line.run(...args)).toMatchObject(
        noted(
          3,
          /is editing exceptions\.json: try again\. If none is running, .* delete "\/.*\/exceptions\.json\.lock"/,
        ),
      );
    expect(folder.file).toBe(before);
    expect(folder.line.read('exceptions.json.lock')).toBe('');
    expect(await folder.line.run('grants')).toMatchObject({ exitCode: 0 });
  });

  test('ended before any of its calls, a command leaves the old or the new content, and at most a lock', async () => {
    const withoutTimes = (text: string) => text.replace(/"until": "[^"]*"/g, '"until"');
    const args = ['grant', '192.0.2.1', ...REASON];
    const before = lists({ exceptions: [ENTRY, 'allow'] });
    const left: string[] = [];
    for (let code: unknown = 'SIGKILL'; code === 'SIGKILL';) {
      const folder = new Folder(before);
      ({ code } = await folder.apart(args, left.length + 1));
      left.push(withoutTimes(folder.file));
      const next = await folder.line.run(...args);
      if (next.exitCode !== 0) expect(next.stderr).toContain('exceptions.json.lock');
      if (next.exitCode !== 0) expect(left.at(-1)).toBe(before);
    }
    const after = left.at(-1) ?? '';
    expect(after).toContain('"192.0.2.1/32": { "until",');
    const writes = left.indexOf(after);
    expect(left).toEqual(left.map((_, at) => (at < writes ? before : after)));
    expect(writes).toBeGreaterThan(5);
  });

  test('commands at the same moment all take effect, but for those that are told to try again', async () => {
    const folder = new Folder(lists({ exceptions: [ENTRY, '"198.51.100.9/32": {}', 'allow'] }));
    const addresses = Array.from({ length: 6 }, (_, at) => `192.0.2.${at}`);
    const [revoked, ...granted] = await Promise.all([
      folder.apart(['revoke', VENDOR]),
      ...addresses.map((address) => folder.apart(['grant', address, ...REASON])),
    ]);
    for (const { code, stderr } of [revoked, ...granted])
      if (code !== 0)
        expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('try again') as string });
    expect(folder.networks).toEqual([
      ...addresses.filter((_, at) => granted[at]?.code === 0),
      ...(revoked.code === 0 ? [] : [VENDOR]),
      '198.51.100.9',
    ]);
  });
});

test('grants: the time left, the next end first; --prune removes what has ended and nothing else', async () => {
  const folder = new Folder();
  for (const args of [['grants'], ['grants', '--prune'], ['revoke', VENDOR]])
    expect(await folder.line.run(...args)).toMatchObject(
      noted(
        3,
        /^There is no file exceptions\.json in \/.*: name it with --file, .* the first "grant" creates it\.\n$/,
      ),
    );
  await folder.grant(VENDOR, '--for', '2d');
  await folder.grant('2001:db8::7', '--for', '30m');
  const listed = await folder.line.run('grants');
  expect(listed.stdout.split('\n').map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
    ['2001:db8::7/128', 'exceptions', '31 min left'],
    ['198.51.100.7/32', 'exceptions', '2 d 1 min left'],
    [''],
  ]);
  folder.nowMs += 3_600_000;
  expect((await folder.line.run('grants')).stdout).toMatch(
    /^2001:db8::7\/128 +exceptions +ended .*\n198.* 1 d 23 h left/,
  );
  const { stdout } = await folder.line.run('grants', '--prune', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ pruned: [{ network: '2001:db8::7/128' }] });
  expect(folder.networks).toEqual([VENDOR]);
  expect(await folder.line.run('grants', '--prune')).toMatchObject({
    stdout: 'No entry has ended.\n',
    stderr: '',
  });
});

test('grants: a text with line ends makes no row of its own', async () => {
  const entry = {
    until: '2026-12-31',
    reason: 'a\n192.0.2.66/32  exceptions',
    owner: 'b\u2028c',
    ticket: '\u202ed',
  };
  const folder = new Folder(lists({ exceptions: [`"192.0.2.1/32": ${JSON.stringify(entry)}`, 'allow'] }));
  const { stdout } = await folder.line.run('grants');
  expect(stdout).toMatch(/^192\.0\.2\.1\/32 [^\n\u2028\u202e]*192\.0\.2\.66[^\n\u2028\u202e]*\n$/);
});

describe('two people at once, with git', () => {
  /** A file with two entries, and a branch in which somebody else has made a change. */
  const branched = async (other: (folder: Folder) => unknown, own: (folder: Folder) => unknown) => {
    const folder = new Folder(
      lists({ exceptions: ['"198.51.100.10/32": {}', '"198.51.100.50/32": {}', 'allow'] }),
    );
    folder.git('init', '-q', '-b', 'main');
    folder.commit('two entries');
    folder.git('checkout', '-q', '-b', 'other');
    await other(folder);
    folder.commit('theirs');
    folder.git('checkout', '-q', 'main');
    await own(folder);
    folder.commit('ours');
    const isMerged = ((): boolean => {
      try {
        folder.git('merge', '-q', '--no-edit', 'other');
        return true;
      } catch {
        return false;
      }
    })();
    return { folder, isMerged };
  };

  test('additions at different places: git merges them by itself, also around the first and the last entry', async () => {
    const { folder, isMerged } = await branched(
      (theirs) => theirs.grant('198.51.100.7'),
      (ours) => ours.grant('198.51.100.90'),
    );
    expect(isMerged).toBe(true);
    expect(folder.networks).toEqual(['198.51.100.7', '198.51.100.10', '198.51.100.50', '198.51.100.90']);
    expect(await folder.line.run('grants', '--prune')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('additions at one place: nothing is read until a command finishes the merge, with both', async () => {
    const { folder, isMerged } = await branched(
      (theirs) => theirs.grant('198.51.100.20'),
      (ours) => ours.grant('198.51.100.30'),
    );
    expect(isMerged).toBe(false);
    expect(() => rulesFrom(folder.at('exceptions.json'))).toThrow('grants --prune');
    expect(await folder.line.run('grants', '--prune')).toMatchObject(noted(0, 'was written'));
    expect(folder.networks).toEqual(['198.51.100.10', '198.51.100.20', '198.51.100.30', '198.51.100.50']);
  });

  test.each([
    [
      'one address changed by both: a person decides, with grant or revoke',
      { theirs: ['.10/32": {}', '.10/32": { "until": "2999-12-31" }'], ours: ['revoke', '198.51.100.10'] },
      /disagree about 198\.51\.100\.10\/32 of "exceptions" \(removed, and \{ "until".*"grant" or "revoke"/,
      { exitCode: 0, left: ['198.51.100.50'] },
    ],
    [
      'a list that one side allows and the other denies: a person decides, in the file',
      { theirs: ['"allow"', '"deny"'], ours: ['grant', '198.51.100.90', ...REASON] },
      /disagree about the action of "exceptions" \(allow, and deny\)\. .*an action in the file/,
      { exitCode: 3, left: ['198.51.100.10', '198.51.100.50', '198.51.100.90'] },
    ],
  ] as const)('%s', async (_what, { theirs: [from, to], ours }, problem, { exitCode, left }) => {
    const { folder } = await branched(
      ({ line, file }) => {
        line.write('exceptions.json', file.replace(from, to));
      },
      ({ line }) => line.run(...ours),
    );
    const before = folder.file;
    for (const args of [['grants'], ['grants', '--prune'], ['grant', '192.0.2.1', ...REASON]])
      expect(await folder.line.run(...args)).toMatchObject(noted(3, problem));
    expect(folder.file).toBe(before);
    expect(await folder.line.run('revoke', '198.51.100.10')).toMatchObject({ exitCode });
    expect(folder.networks).toEqual(left);
  });
});
