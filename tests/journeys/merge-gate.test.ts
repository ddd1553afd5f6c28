import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import path from 'node:path';
import { at } from '../support/at-time';
import { folderOf } from '../support/folder';
import { CHECK, GatedRepository, type Judged } from '../support/gated-repository';
import { policyId } from '../support/ids';
import { liveCidrs } from '../support/service-stack';
import { checkout } from '../support/workspace';
import type { Site } from '../support/workflow-runner';
import { commitAllIn, gitIn } from '../unit/action/action-folder';

// Some thirty calls of the CLI, each of some seconds on a busy machine.
jest.setTimeout(900_000);

/** A fork with the branch that carries the review, checked out as a runner does it by the line that the command printed. */
function actionOfFork(): Site['action'] {
  const folder = folderOf({}, 'file');
  const [clone, fork] = [path.join(folder, 'clone'), path.join(folder, 'acme/edge.git')];
  gitIn(folder, 'init', '--quiet', '--bare', fork);
  gitIn(checkout, 'checkout-index', '--all', `--prefix=${clone}/`);
  for (const name of ['action', 'tools'])
    cpSync(path.join(checkout, name), path.join(clone, name), { recursive: true });
  gitIn(clone, 'init', '--quiet');
  commitAllIn(clone);
  const node = (cwd: string, ...args: string[]) => execFileSync('node', args, { cwd, encoding: 'utf8' });
  node(checkout, 'tools/bundle-review.mjs', path.join(clone, 'action/dist'));
  const push = () => node(clone, 'tools/action-branch.mjs', fork);
  const printed = push();
  expect([push(), gitIn(clone, 'status', '--porcelain')]).toEqual([printed, '']);
  const [, commit = ''] = /^ {2}uses: acme\/edge\/action\/judge@([0-9a-f]{40})$/m.exec(printed) ?? [];
  const action = path.join(folder, 'action');
  gitIn(folder, 'clone', '--quiet', fork, action);
  gitIn(action, 'checkout', '--quiet', commit);
  return { folder: action, name: 'acme/edge', commit };
}

const [BERN, OSLO, ROME, PARIS] = [
  '203.0.112.0/24',
  '203.0.114.0/24',
  '203.0.115.0/24',
  '203.0.117.0/24',
] as const;
const WIDE = '64.0.0.0/2';
const VENDOR = '198.51.100.7/32';

/** A program with a set of offices, a rule for each further one, and a vendor whose access ends. */
const programOf = (
  offices: readonly string[],
  { more = [], vendor = [] }: Record<string, readonly string[]> = {},
) => {
  const rules = [
    ...offices.map((cidr) => ({ cidr, action: 'allow' })),
    ...vendor.map((cidr) => ({ cidr, action: 'allow', until: '2999-12-31' })),
  ];
  return {
    'infra/index.js': `
      const { IpPolicyRule, IpPolicyRuleSet } = require('pulumi-edge-policy');
      const ipPolicyId = '${policyId}';
      new IpPolicyRuleSet('offices', { ipPolicyId, rules: ${JSON.stringify(rules)} });
      const lists = require('node:fs').readdirSync('.').filter((name) => name.endsWith('.list'));
      const others = lists.map((name) => require('node:fs').readFileSync(name, 'utf8').trim());
      for (const cidr of [...${JSON.stringify(more)}, ...others]) new IpPolicyRule(cidr, { ipPolicyId, action: 'allow', cidr });
    `,
  };
};

let action: Site['action'];
let gate: GatedRepository;

beforeAll(() => {
  action = actionOfFork();
});

/** A repository whose gate is set up, with one office live. */
beforeEach(async () => {
  gate = await GatedRepository.start('// nothing yet\n', action);
  const options = `--stack organization/harness/dev --action acme/edge@${action.commit} --branch main --ip-model deny-wins`;
  const { exitCode, log } = await gate.type(`npx --no-install pulumi-edge-policy-cli init ${options}`);
  expect([exitCode, log]).toEqual([0, expect.stringContaining(CHECK)]);
  gate.commit({}, 'owner');
  const first = gate.push('first', programOf([BERN]));
  expect((await gate.review(first)).check.conclusion).toBe('success');
  gate.merge(first);
  expect(await gate.apply()).toMatchObject({ isSuccess: true });
  expect(liveCidrs(gate.emulator)).toEqual([BERN]);
});

/** Whether the gate stops the change, and a person may accept it. */
const isStopped = ({ check, words }: Judged): void => {
  expect(check.conclusion).toBe('failure');
  expect(words).not.toBe('');
};

const isAccepted = ({ check, log }: Judged): void => {
  expect([check.conclusion, check.output.title, log]).toEqual([
    'success',
    expect.stringMatching(/^Accepted by carol\./),
    expect.not.stringContaining(gate.stack.apiKey),
  ]);
};

/** Whether the run has applied what was merged: then these networks are live. */
async function isApplied(...networks: readonly string[]): Promise<void> {
  const { isSuccess, summary } = await gate.apply();
  expect([isSuccess, summary]).toEqual([true, expect.stringContaining('This is the reviewed plan')]);
  expect(liveCidrs(gate.emulator)).toEqual(networks);
}

/** Whether the run says why it has applied nothing. */
async function isNotApplied(why: string): Promise<void> {
  const before = liveCidrs(gate.emulator);
  const { isSuccess, log, summary } = await gate.apply();
  expect([isSuccess, log + summary]).toEqual([false, expect.stringContaining(why)]);
  expect(liveCidrs(gate.emulator)).toEqual(before);
}

test('from an empty folder to what was approved being live', async () => {
  const milder = '{ "gate": { "failOn": "critical", "ipModel": "deny-wins" } }';
  const weaker = await gate.review(gate.push('weaker', { 'infra/edge-policy.assertions.json': milder }));
  isStopped(weaker);
  expect(weaker.summary).toContain('edge-policy.assertions.json');

  const wide = gate.push('wide', programOf([BERN], { more: [WIDE] }));
  const stopped = await gate.review(wide);
  isStopped(stopped);
  isStopped(await gate.accept(stopped, 'alice'));
  isStopped(await gate.accept(stopped, 'carol', weaker.words));
  // By this run, "Prevent self-review" would concern carol, and let alice approve.
  isStopped(await gate.accept(await gate.review(wide, { by: 'carol' }), 'carol'));
  isAccepted(await gate.accept(stopped, 'carol'));
  expect(gate.api.comments.at(-1)?.body).toContain(`Reviewed commit: ${wide.head}`);

  // What bob pushes between the acceptance and the merge is not applied, but all that is left is reviewed by a pull request without a change.
  gate.merge(gate.push('wide', programOf([BERN], { more: [WIDE, ROME] }), 'bob'));
  await isNotApplied('no run has judged the pull request');
  const rest = gate.push('rest', {});
  const whole = await gate.review(rest);
  isAccepted(await gate.accept(whole, 'carol'));
  gate.merge(rest);
  await isApplied(BERN, ROME, WIDE);

  const back = gate.push('back', programOf([BERN]));
  const accepted = await gate.accept(await gate.review(back), 'carol');
  isAccepted(accepted);
  const { sha, pass } = gate.enqueue(back);
  const queued = await gate.review(back, { queued: sha });
  isAccepted(queued);
  expect(queued.check.head_sha).toBe(sha);
  pass();
  await isApplied(BERN);

  // Now the stack is what it was, and the branch may bring the same commit once more.
  const again = await gate.review(gate.reopen(rest));
  isStopped(again);
  const hashIn = ({ words }: Judged) => words.split(' ')[1];
  expect(hashIn(again)).toBe(hashIn(whole));
});

test('what is merged is applied as it was reviewed, and access that has ended ends in any case', async () => {
  const vendor = [VENDOR];
  gate.push('several', programOf([BERN], { vendor }));
  const several = gate.push('several', programOf([BERN, OSLO], { vendor }));
  await gate.review(several);
  gate.merge(several, 'rebase');
  await isApplied(VENDOR, BERN, OSLO);

  // Two pull requests in one push: neither was reviewed with the other.
  const pulls = [ROME, PARIS].map((network) =>
    gate.push(network, { [`infra/${network.slice(0, 11)}.list`]: network }),
  );
  for (const pull of pulls) await gate.review(pull);
  for (const pull of pulls) gate.merge(pull);
  await isNotApplied('This is not the reviewed plan');

  const rest = gate.push('rest', {});
  await gate.review(rest);
  gate.merge(rest);
  const artifacts = [...gate.api.artifacts];
  gate.api.artifacts.clear();
  await isNotApplied(`the reviewed plan of ${rest.head} has expired`);
  artifacts.forEach(([name, archive]) => gate.api.artifacts.set(name, archive));

  gate.emulator.fault({ method: 'POST', kind: 'status', status: 403, times: 'always' });
  await isNotApplied('npx --no-install pulumi-edge-policy-cli recover --stack organization/harness/dev');

  // When access ends, a gain of its set stops it, and what is left elsewhere waits. Either is an alarm.
  const { env } = at(gate.stack, '3000-01-01T00:00:01Z');
  gate.commit(programOf([BERN, OSLO, ROME], { vendor }), 'owner');
  const refused = await gate.run('scheduled-up.yml', 'end', env);
  expect([refused.isSuccess, refused.summary]).toEqual([
    false,
    expect.stringContaining('gate stops this change'),
  ]);
  expect(liveCidrs(gate.emulator)).toEqual([VENDOR, BERN, OSLO]);
  gate.commit(programOf([BERN, OSLO], { vendor }), 'owner');
  const ended = await gate.run('scheduled-up.yml', 'end', env);
  expect([ended.isSuccess, ended.summary]).toEqual([
    false,
    expect.stringContaining('changes that were never applied'),
  ]);
  expect(ended.summary).not.toContain('guards-without-base');
  expect(liveCidrs(gate.emulator)).toEqual([BERN, OSLO]);
  expect(ended.log + refused.log).not.toContain(gate.stack.apiKey);
});
