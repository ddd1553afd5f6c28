import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { CommandLine, FROM_SOURCES, noted } from '../../support/command-line';
import { filesBelow, textOf } from '../../support/workspace';

const COMMIT = 'c'.repeat(40);
const ACTION = ['--action', `acme/edge-policy@${COMMIT}`];
const STACKS = JSON.stringify([
  { name: 'prod', current: true, url: 'https://app.pulumi.com/acme/project/prod' },
  { name: 'dev', current: false, url: 'https://app.pulumi.com/acme/project/dev' },
]);
const GATE = 'edge-policy.assertions.json';

let line: CommandLine;
beforeEach(() => {
  line = new CommandLine().withPulumi({ 'stack ls': { stdout: STACKS } });
  const origin = path.join(line.folder, '.git/refs/remotes/origin');
  mkdirSync(origin, { recursive: true });
  writeFileSync(path.join(origin, 'HEAD'), 'ref: refs/remotes/origin/trunk\n');
});

const fileOf = (name: string): string => readFileSync(path.join(line.folder, name), 'utf8');
const workflow = (name: string): string => fileOf(`.github/workflows/${name}.yml`);
const WORKFLOWS = ['access-preview', 'access-review', 'access-apply', 'scheduled-up', 'access-drift'];

test('init fills in all workflows, the selected stack and the branch of origin included', async () => {
  const { exitCode, stdout } = await line.run('init', ...ACTION);
  expect(exitCode).toBe(0);
  for (const name of WORKFLOWS) {
    expect(stdout).toContain(`written  .github/workflows/${name}.yml\n`);
    expect(workflow(name)).not.toMatch(/<[a-z][a-z-]*>/);
    expect(parse(workflow(name))).toMatchObject({ env: { STACK: 'acme/project/prod', FOLDER: '.' } });
  }
  expect(workflow('access-review')).toContain('BRANCHES: trunk #');
  expect(workflow('access-review')).toContain(`uses: acme/edge-policy/action/judge@${COMMIT} #`);
  expect(workflow('access-apply')).toContain('branches: [trunk]');
  // A model that nobody knows yet is left out.
  expect(JSON.parse(fileOf(GATE))).toEqual({ gate: { failOn: 'high' } });
  expect(stdout).toContain('access review: acme/project/prod into trunk');
  expect(stdout).toContain('.github/CODEOWNERS');
  const { rules } = JSON.parse(
    (/<<< '(.*"target":"branch".*)'/.exec(stdout)?.[1] ?? '').replace('APP_ID', '1'),
  ) as Record<string, unknown>;
  expect(rules).toContainEqual(
    expect.objectContaining({
      parameters: expect.objectContaining({ require_code_owner_review: true }) as object,
    }),
  );
  // Each environment is for the one branch, by its name.
  const bodies = Array.from(stdout.matchAll(/PUT '\S+environments\/(\S+)' --input - <<< '(.*)'\n/g));
  expect(bodies.map(([, name]) => name)).toEqual(
    ['approvals', 'apply', 'drift', 'judge'].map((name) => `edge-policy-${name}`),
  );
  for (const [, name = '', body = ''] of bodies) {
    expect(JSON.parse(body.replace('"id":ID', '"id":1'))).toMatchObject({
      deployment_branch_policy: { protected_branches: false, custom_branch_policies: true },
    });
    expect(stdout).toContain(`environments/${name}/deployment-branch-policies' -f name='trunk'\n`);
  }
});

test('init: a second run changes nothing, and names the lines that were edited', async () => {
  await line.run('init', ...ACTION);
  const again = await line.run('init', ...ACTION);
  expect([again.exitCode, /^(?:written|differs)/m.test(again.stdout)]).toEqual([0, false]);
  const edited = workflow('access-drift').replace("'37 5 * * *'", "'0 4 * * *'");
  line.write('.github/workflows/access-drift.yml', edited);
  const { exitCode, stdout } = await line.run('init', ...ACTION);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /differs {2}\S*access-drift\.yml\n +has {4}- cron: '0 4.*\(line \d+\)\n +lacks {2}- cron: '37 5[^\n]*\nthere/,
  );
  expect(workflow('access-drift')).toBe(edited);
});

test('init asks on a terminal what no option answers, once, and writes nothing if the answers end', () => {
  const typed = (input: string): string => {
    const args = [...FROM_SOURCES, 'init', ...ACTION, '--stack', 'acme/project/prod'];
    const command = `${process.execPath} ${args.join(' ')} --duplicate-networks refused`;
    return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: line.folder, input, encoding: 'utf8' })
      .stdout;
  };
  expect(typed('\n2\n\u0004')).toContain('A question has no answer, so nothing was done.');
  expect(() => fileOf(GATE)).toThrow('ENOENT');
  // A wrong answer is asked for again; an empty one leaves out what is not known yet.
  const asked = typed('medium\ndeny-loses\n1\n\n');
  expect(asked).toMatch(
    /rules of an IP policy combine\?\s+1 {2}deny-wins\s[^]*5 {2}not known yet\s+\[not known yet\] /,
  );
  expect(asked.match(/ combine\?/g)).toHaveLength(3);
  expect(JSON.parse(fileOf(GATE))).toEqual({
    gate: { failOn: 'medium', ipModel: 'deny-wins', duplicateNetworks: 'refused' },
  });
  // The file that is there has the answers.
  expect(typed('')).not.toContain('combine?');
});

test('init: the gate is as asked, in the folder of the project', async () => {
  mkdirSync(path.join(line.folder, 'infra'));
  line.write('infra/Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  const policy = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
  const { exitCode } = await line.run(
    ...['init', '--cwd', 'infra', '--stack', 'acme/project/dev', ...ACTION, '--branch', 'main'],
    ...['--fail-on', 'medium', '--ip-model', 'block-list', '--policy', policy, '--must-allow', '203.0.113.7'],
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(fileOf(`infra/${GATE}`))).toEqual({
    gate: { failOn: 'medium', ipModel: 'block-list' },
    policies: [{ ipPolicyId: policy, mustAllow: ['203.0.113.7/32'] }],
  });
  expect(parse(workflow('access-preview'))).toMatchObject({ env: { FOLDER: 'infra' } });
});

test('init --gitlab writes its file', async () => {
  const { exitCode, stdout } = await line.run('init', '--gitlab');
  expect([exitCode, stdout.includes('.github')]).toEqual([0, false]);
  expect(fileOf('gitlab-ci.yml')).toContain('STACK: acme/project/prod\n');
});

test.each([
  ['no action', [], 'pass --action OWNER/REPOSITORY@COMMIT'],
  ['an action by its tag', ['--action', 'acme/edge-policy@v1'], 'OWNER/REPOSITORY@COMMIT'],
  ['a short name of a stack', [...ACTION, '--stack', 'dev'], 'ORGANIZATION/PROJECT/STACK'],
  ['networks of no policy', [...ACTION, '--must-allow', '203.0.113.7'], 'pass --policy ID'],
])('init: with %s nothing is written', async (_what, args, said) => {
  expect(await line.run('init', ...args)).toMatchObject(noted(3, said));
  expect(() => fileOf(GATE)).toThrow('ENOENT');
});

test('every template is written by init, and shown by the docs', () => {
  const templates = filesBelow('cli/templates', /\.yml$/).map((file) => path.basename(file, '.yml'));
  expect(templates.sort()).toEqual([...WORKFLOWS, 'gitlab-ci'].sort());
  const docs = filesBelow('docs', /\.md$/).map(textOf).join('\n');
  expect(templates.filter((name) => !docs.includes(`(../cli/templates/${name}.yml)`))).toEqual([]);
});
