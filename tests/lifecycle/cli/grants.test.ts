import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { systemClock } from '../../../provider/src/api/clock';
import { rulesFrom } from '../../../provider/src';
import { CommandLine, noted, printed } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { kept, previewText, rule, ruleSet } from '../../unit/review/preview-builder';

const OTHER = 'ipp_9XhTq4LmKb7CyJd1FsGa2ZnV5Rw8';
const START = Date.parse('2026-11-25T21:04:10Z');
const VENDOR = '198.51.100.7';
const urnOf = (name: string) =>
  `urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRuleSet::${name}`;

/** A project in a git repository whose two sets read the lists of a file, and a CLI that holds what was applied. */
class Project {
  readonly line = new CommandLine();
  readonly calls: string[] = [];
  answer = false;
  /** Why the program fails, if it does. */
  failure = '';
  nowMs = START;
  /** The sets of the program, by the list that each of them reads. */
  sets: Readonly<Record<string, string>> = { shop: 'exceptions', admin: 'exceptions' };
  private readonly live = new Map<string, object>();

  constructor() {
    this.line.write('Pulumi.yaml', 'name: acme\nruntime: nodejs\n');
    this.line.setEnvironment('PATH', process.env['PATH'] ?? '').setEnvironment('HOME', this.line.folder);
    this.line.write('.gitconfig', '[user]\nname = Ada\nemail = ada@example.com\n');
    this.line.engine = {
      clock: { ...systemClock, epochMs: () => this.nowMs },
      pulumi: (args) => Promise.resolve(this.pulumi(args)),
    };
    this.git('init', '-q', '-b', 'main');
    this.git('add', 'Pulumi.yaml');
    this.commit('project');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, {
      ...{ cwd: this.line.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      env: { PATH: process.env['PATH'] ?? '', HOME: this.line.folder },
    });
  }

  commit(subject: string): void {
    this.git('commit', '-q', '--no-verify', '-a', '-m', subject);
  }

  grant(address: string, ...more: readonly string[]) {
    return this.line.run('grant', address, '--for', '4h', '--reason', 'vendor on call', ...more);
  }

  get file(): string {
    return this.line.read('exceptions.json');
  }

  private declared(name: string): object {
    const list = this.sets[name] ?? '';
    const rules = rulesFrom(path.join(this.line.folder, 'exceptions.json'), { list });
    return { ipPolicyId: name === 'shop' ? policyId : OTHER, exclusive: false, rules: JSON.stringify(rules) };
  }

  private pulumi(args: readonly string[]) {
    const call = args.join(' ');
    this.calls.push(call);
    const said = (stdout: string) => ({ isSuccess: true, stdout, stderr: '' });
    if (call.startsWith('stack --show-name')) return said('prod\n');
    if (call.startsWith('preview --json') && this.failure !== '') {
      const diagnostics = [{ severity: 'error', message: this.failure }];
      return { isSuccess: false, stdout: JSON.stringify({ steps: [], diagnostics }), stderr: '' };
    }
    if (call.startsWith('preview --json')) {
      const sets = Object.keys(this.sets).map((name) =>
        ruleSet(name, {
          before: this.live.get(name) ?? { ...this.declared(name), rules: '[]' },
          after: this.declared(name),
        }),
      );
      return said(previewText([kept('office', rule('8.8.8.0/24', 'allow', policyId)), ...sets]));
    }
    if (call.startsWith('preview --diff')) return said('the preview of the sets\n');
    if (call.startsWith('up')) {
      for (const name of Object.keys(this.sets))
        if (args.includes(urnOf(name))) this.live.set(name, this.declared(name));
      return said('done\n');
    }
    return { isSuccess: false, stdout: '', stderr: `unexpected: ${call}` };
  }
}

test('grant: one line in the file, and the text of the pull request with its review', async () => {
  const project = new Project();
  const granted = await project.grant(VENDOR, '--ticket', 'OPS-7');
  expect(granted).toMatchObject(noted(0, 'exceptions.json was written: commit it'));
  expect(project.file).toBe(
    [
      '{',
      '  "exceptions": {',
      '    "198.51.100.7/32": { "until": "2026-11-26T01:05:00Z", "reason": "vendor on call", "owner": "Ada <ada@example.com>", "ticket": "OPS-7" },',
      '    "action": "allow"',
      '  },',
      '  "$schema": "node_modules/pulumi-edge-policy/schemas/lists-1.json"',
      '}',
      '',
    ].join('\n'),
  );
  expect(granted.stdout).toContain(
    'Let 198.51.100.7/32 in until 2026-11-26T01:05:00Z: vendor on call\n\n' +
      '- Network: `198.51.100.7/32`, in the list exceptions of `exceptions.json`; read by shop, admin\n' +
      '- Until: 2026-11-26T01:05:00Z, 4 h from now\n' +
      '- Asked by: Ada <ada@example.com>, according to the git identity, which is no proof\n' +
      '- Ticket: OPS-7\n',
  );
  // Two policies, and one line that names the list.
  expect(
    granted.stdout.match(/exceptions.*: 1 network more, in 2 policies\. .*198\.51\.100\.7\/32/g),
  ).toHaveLength(1);
  expect(project.calls).toEqual(['preview --json --show-sames --show-replacement-steps']);

  const again = await project.grant(VENDOR, '--for', '1d');
  expect(again.stdout).toContain('until 2026-11-26T21:05:00Z');
  expect(project.file.match(/198\.51\.100\.7/g)).toHaveLength(1);
});

test.each([
  [
    'the end that the gate requires',
    { gate: { requires: { until: { maxDays: 1 } } } },
    '2d',
    'end within 1 day',
  ],
  ['the texts that it requires', { gate: { requires: { metadata: ['ticket'] } } }, '4h', 'lacks'],
  [
    'a ceiling',
    { policies: [{ ipPolicyId: policyId, neverWiderThan: ['8.8.8.0/24'] }] },
    '4h',
    'may be let in',
  ],
])('grant: %s stops it, and the file is as it was', async (_name, assertions, duration, why) => {
  const project = new Project();
  project.line.write('edge-policy.assertions.json', JSON.stringify(assertions));
  const stopped = await project.line.run('grant', VENDOR, '--for', duration, '--reason', 'vendor');
  expect(stopped).toMatchObject(printed(1, why));
  expect(stopped.stderr).toContain('nothing was granted');
  expect(() => project.file).toThrow('ENOENT');
  // Within the rules, it passes.
  project.line.write('edge-policy.assertions.json', '{}');
  expect(await project.grant(VENDOR)).toMatchObject({ exitCode: 0 });
});

test('grant: a limit of refused clients needs a log only if the grant ends access sooner; revoke needs none', async () => {
  const project = new Project();
  project.line.write('edge-policy.assertions.json', JSON.stringify({ gate: { maxRefusedClients: 0 } }));
  expect(await project.grant(VENDOR, '--apply', '--yes')).toMatchObject({ exitCode: 0 });
  expect(await project.grant('198.51.100.8')).toMatchObject({ exitCode: 0 });
  expect(await project.grant(VENDOR, '--for', '1h')).toMatchObject(
    printed(2, 'there is no log of its clients'),
  );
  expect(await project.grant(VENDOR, '--for', '1d')).toMatchObject({ exitCode: 0 });
  expect(await project.line.run('revoke', VENDOR)).toMatchObject({ exitCode: 0 });
});

test('grant: what would let nobody in, or end what has no end, is refused and changes nothing', async () => {
  const project = new Project();
  const text =
    '{ "exceptions": { "192.0.2.0/24": { "reason": "Lisbon" }, "action": "allow" }, "blocked": { "action": "deny" } }';
  project.line.write('exceptions.json', text);
  expect(await project.grant(VENDOR)).toMatchObject(
    noted(3, 'are exceptions, blocked: name one with --list.'),
  );
  expect(await project.grant(VENDOR, '--list', 'x')).toMatchObject(
    noted(3, 'add "x": { "action": "allow" }'),
  );
  expect(await project.grant(VENDOR, '--list', 'blocked')).toMatchObject(
    noted(3, 'would keep 198.51.100.7/32 out'),
  );
  expect(await project.grant('192.0.2.0/24', '--list', 'exceptions')).toMatchObject(
    noted(3, 'would end its access'),
  );
  expect(await project.grant('192.0.2.9/24')).toMatchObject(noted(3, '192.0.2.0/24'));
  expect(await project.grant(VENDOR, '--for', '4 hours')).toMatchObject(
    noted(3, 'such as 90m, 4h, 2d or 1w'),
  );
  expect(project.calls).toEqual([]);
  project.sets = {};
  const unread = await project.grant(VENDOR, '--list', 'exceptions');
  expect(unread).toMatchObject(noted(3, "rulesFrom('exceptions.json', { list: 'exceptions' })"));
  project.line.write('.gitconfig', '');
  expect(await project.grant(VENDOR, '--list', 'exceptions')).toMatchObject(
    noted(3, 'git does not know who you are'),
  );
  expect(project.file).toBe(text);
});

test('--apply: shows the preview of the sets that read the list, asks, and runs their up only', async () => {
  const project = new Project();
  project.sets = { shop: 'exceptions', elsewhere: 'offices' };
  project.line.write(
    'exceptions.json',
    '{ "exceptions": { "action": "allow" }, "offices": { "action": "allow" } }',
  );
  const target = `--target ${urnOf('shop')}`;
  const asked = await project.grant(VENDOR, '--list', 'exceptions', '--apply');
  expect(asked).toMatchObject(noted(1, /the preview of the sets\n.*Nothing was applied: confirm it/s));
  expect(project.calls.slice(1)).toEqual([`preview --diff ${target}`, 'stack --show-name']);

  const applied = await project.grant(VENDOR, '--list', 'exceptions', '--apply', '--yes');
  expect(applied).toMatchObject(noted(0, 'Applied to 1 set: shop.'));
  expect(project.calls.at(-1)).toBe(`up --yes --skip-preview ${target}`);

  const revoked = await project.line.run('revoke', VENDOR, '--apply', '--yes');
  expect(revoked).toMatchObject(printed(0, /^Revoke 198\.51\.100\.7\/32\n\n.*the list exceptions/s));
  expect(project.calls.at(-1)).toBe(`up --yes --skip-preview ${target}`);
  expect(project.file).not.toContain(VENDOR);
  expect(await project.line.run('revoke', VENDOR)).toMatchObject(
    noted(3, 'is in no list of exceptions.json'),
  );
});

test('revoke --apply: if the program fails, nobody is told that the access is gone', async () => {
  const project = new Project();
  await project.grant(VENDOR, '--apply', '--yes');
  project.failure = 'broken program';
  // Nobody needs an identity to take access away.
  project.line.write('.gitconfig', '');
  const revoked = await project.line.run('revoke', VENDOR, '--apply', '--yes');
  expect(revoked).toMatchObject(
    noted(3, /exceptions\.json was written.*The preview failed: "broken program"/s),
  );
  expect(revoked.stderr).not.toContain('No set of the stack has it');
  expect(project.file).not.toContain(VENDOR);
  expect(project.calls.filter((call) => call.startsWith('up'))).toHaveLength(1);
});

test('grants: the time left, the next end first; --prune removes what has ended and nothing else', async () => {
  const project = new Project();
  expect(await project.line.run('grants')).toMatchObject(noted(3, 'the first grant creates it'));
  await project.grant(VENDOR, '--for', '2d');
  await project.grant('2001:db8::7', '--for', '30m');
  const listed = await project.line.run('grants');
  expect(listed.stdout.split('\n').map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
    ['2001:db8::7/128', 'exceptions', '31 min left'],
    ['198.51.100.7/32', 'exceptions', '2 d 1 min left'],
    [''],
  ]);
  project.nowMs += 3_600_000;
  expect((await project.line.run('grants')).stdout).toMatch(
    /^2001:db8::7\/128 +exceptions +ended .*\n198.* 1 d 23 h left/,
  );
  const { stdout } = await project.line.run('grants', '--prune', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ pruned: [{ network: '2001:db8::7/128' }] });
  expect(project.file).toContain(VENDOR);
  expect(project.file).not.toContain('2001:db8::7');
  expect(await project.line.run('grants', '--prune')).toMatchObject({
    stdout: 'No entry has ended.\n',
    stderr: '',
  });
});

describe('two people at once, with git', () => {
  /** A file with two entries, and a branch in which somebody else has made a change. */
  const branched = async (
    other: (project: Project) => Promise<unknown>,
    own: (project: Project) => Promise<unknown>,
  ) => {
    const project = new Project();
    await project.grant('198.51.100.10');
    await project.grant('198.51.100.50');
    project.git('add', 'exceptions.json');
    project.commit('two grants');
    project.git('checkout', '-q', '-b', 'other');
    await other(project);
    project.commit('theirs');
    project.git('checkout', '-q', 'main');
    await own(project);
    project.commit('ours');
    const merge = (): boolean => {
      try {
        project.git('merge', '-q', '--no-edit', 'other');
        return true;
      } catch {
        return false;
      }
    };
    return { project, isMerged: merge() };
  };
  const networksIn = ({ file }: Project) =>
    Array.from(file.matchAll(/"([\d.]+)\/32"/g), ([, network]) => network);

  test('additions at different places: git merges them by itself, also around the first and the last entry', async () => {
    const { project, isMerged } = await branched(
      (theirs) => theirs.grant('198.51.100.7'),
      (ours) => ours.grant('198.51.100.90'),
    );
    expect(isMerged).toBe(true);
    expect(networksIn(project)).toEqual(['198.51.100.7', '198.51.100.10', '198.51.100.50', '198.51.100.90']);
    expect(await project.line.run('grants', '--prune')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('additions at one place: nothing is read until a command finishes the merge, with both', async () => {
    const { project, isMerged } = await branched(
      (theirs) => theirs.grant('198.51.100.20'),
      (ours) => ours.grant('198.51.100.30'),
    );
    expect(isMerged).toBe(false);
    expect(() => rulesFrom(path.join(project.line.folder, 'exceptions.json'))).toThrow('grants --prune');
    expect(await project.line.run('grants', '--prune')).toMatchObject(noted(0, 'was written'));
    expect(networksIn(project)).toEqual(['198.51.100.10', '198.51.100.20', '198.51.100.30', '198.51.100.50']);
  });

  test('a revocation beside an addition stays revoked', async () => {
    const { project, isMerged } = await branched(
      (theirs) => theirs.grant('198.51.100.11'),
      (ours) => ours.line.run('revoke', '198.51.100.10'),
    );
    expect(isMerged).toBe(false);
    expect(await project.line.run('grants', '--prune')).toMatchObject({ exitCode: 0 });
    expect(networksIn(project)).toEqual(['198.51.100.11', '198.51.100.50']);
  });

  test('one address changed by both: a person decides, with grant or revoke', async () => {
    const { project } = await branched(
      (theirs) => theirs.grant('198.51.100.10', '--for', '1d'),
      (ours) => ours.line.run('revoke', '198.51.100.10'),
    );
    const before = project.file;
    const open = await project.line.run('grants', '--prune');
    expect(open).toMatchObject(
      noted(3, /both sides of the merge have changed 198\.51\.100\.10\/32 .*: removed, and \{ "until"/),
    );
    expect(project.file).toBe(before);
    expect(await project.line.run('revoke', '198.51.100.10')).toMatchObject({ exitCode: 0 });
    expect(networksIn(project)).toEqual(['198.51.100.50']);
  });
});
