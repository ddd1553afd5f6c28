import type { Emulator } from '../../emulator/src/index';
import type { CliResult } from '../support/cli-result';
import { edgePolicy } from '../support/edge-policy-cli';
import { policyId, tcpEdgeId } from '../support/ids';
import { killBehindEffect, type Site } from '../support/killed-run';
import { literal, program } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { liveCidrs, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const rule = (name: string, args: object, opts = '{}'): string =>
  `new IpPolicyRule('${name}', ${literal({ ipPolicyId: policyId, action: 'allow', ...args })}, ${opts});`;

const set = (cidrs: readonly string[]): string =>
  `new IpPolicyRuleSet('set', { ipPolicyId: '${policyId}', rules: ${literal(cidrs.map((cidr) => ({ cidr, action: 'deny' })))} });`;

const recover = (stack: PulumiStack, ...args: string[]): Promise<CliResult> =>
  edgePolicy(stack, ['recover', '--stack', 'dev', '--no-wait', '--json', ...args]);

/** What became of each operation, by the name of its resource. */
const verdicts = (result: CliResult): Record<string, string> => {
  const { operations } = result.json as { operations: { urn: string; verdict: string }[] };
  return Object.fromEntries(
    operations.map(({ urn, verdict }) => [urn.slice(urn.lastIndexOf('::') + 2), verdict]),
  );
};

const removeRemotely = (emulator: Emulator, cidr: string): void => {
  const rule = emulator.state().rules.find((other) => other.cidr === cidr);
  emulator.remote.deleteRule(rule?.id ?? '');
};

/** State equals remote, and nothing is left to do. */
const expectHealthy = async ({ stack, emulator }: Site): Promise<void> => {
  await stack.expectEmptyPreview();
  const before = emulator.state();
  expect((await stack.refresh()).changes).toEqual({});
  expect(emulator.state()).toEqual(before);
};

test('creates that were killed: what happened is brought in, in whole or in part, the rest is cleared, and up leaves no duplicate', async () => {
  const site = await stackOnService({
    program: program(`
      ${rule('made', { cidr: '10.0.0.0/16' })}
      ${rule('never', { cidr: '10.1.0.0/16' })}
      ${set(['10.8.0.0/16', '10.9.0.0/16', '2001:db8::/32'])}
      new TcpEdgeTrafficPolicyModule('module', { edgeId: '${tcpEdgeId}', value: '{"inbound":[]}', overwriteExisting: true });
      class Site extends pulumi.ComponentResource {
        constructor() {
          super('test:index:Site', 'site');
          const description = pulumi.secret(process.env.CANARY_SECRET);
          ${rule('inside', { cidr: '10.2.0.0/16' }, `{ parent: this, retainOnDelete: true }`).replace('"}', '", description}')}
        }
      }
      new Site();
      return {};`),
  });
  const { stack, emulator } = site;
  await killBehindEffect(site, 'up', { methods: ['POST', 'PUT'], count: 7 });
  await stack.cancel();
  removeRemotely(emulator, '10.1.0.0/16');
  removeRemotely(emulator, '10.9.0.0/16');
  emulator.clearJournal();

  const state = await stack.state();
  const shown = await recover(stack);
  expect(shown.exitCode).toBe(1);
  expect(verdicts(shown)).toEqual({
    made: 'take',
    never: 'clear',
    set: 'take',
    module: 'take',
    inside: 'take',
  });
  expect(await stack.state()).toEqual(state);

  const done = await recover(stack, '--yes');
  expect(done.exitCode).toBe(0);
  expect(emulator.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect((await stack.state()).pendingOperations).toEqual([]);
  const inside = ownResources(await stack.state()).find(({ urn }) => urn.endsWith('::inside'));
  expect(inside).toMatchObject({
    retainOnDelete: true,
    inputs: { description: { ciphertext: expect.any(String) as string } },
  });

  expect((await stack.up()).changes).toEqual({ create: 1, update: 1 });
  const all = ['10.0.0.0/16', '10.1.0.0/16', '10.2.0.0/16', '10.8.0.0/16', '10.9.0.0/16', '2001:db8::/32'];
  expect(liveCidrs(emulator)).toEqual(all);
  await expectHealthy(site);
});

test('changes, replacements and deletions that were killed: the state learns what happened, and the next run does the rest', async () => {
  const before = program(`
    ${rule('changed', { cidr: '10.0.0.0/16' })}
    ${rule('replaced', { cidr: '10.1.0.0/16' })}
    ${rule('removed', { cidr: '10.2.0.0/16' })}
    ${set(['10.8.0.0/16'])}
    return {};`);
  const after = program(`
    ${rule('changed', { cidr: '10.0.0.0/16', description: 'new' })}
    ${rule('replaced', { cidr: '10.1.0.0/16', action: 'deny' })}
    ${set(['10.8.0.0/16', '10.9.0.0/16', '10.10.0.0/16'])}
    return {};`);
  const site = await stackOnService({ program: before });
  const { stack, emulator } = site;
  await stack.up();
  stack.writeProgram(after);
  await killBehindEffect(site, 'up', { methods: ['POST', 'PATCH'], count: 4 });
  await stack.cancel();

  const done = await recover(stack, '--yes');
  expect(done.exitCode).toBe(0);
  expect(verdicts(done)).toEqual({ changed: 'refresh', replaced: 'take', set: 'refresh' });
  expect((await stack.preview()).changes).toEqual({ delete: 1 });
  await stack.up();
  expect(liveCidrs(emulator)).toEqual([
    '10.0.0.0/16',
    '10.1.0.0/16',
    '10.10.0.0/16',
    '10.8.0.0/16',
    '10.9.0.0/16',
  ]);
  await expectHealthy(site);

  // A service that limits nothing gets all deletions at once: three rules of the set, and two of their own.
  await killBehindEffect(site, 'destroy', { methods: ['DELETE'], count: 5 });
  await stack.cancel();
  expect(verdicts(await recover(stack, '--yes'))).toEqual({
    changed: 'refresh',
    replaced: 'refresh',
    set: 'refresh',
  });
  await stack.destroy();
  expect((await stack.state()).resources).toEqual([]);
  expect(emulator.state().rules).toEqual([]);
});
