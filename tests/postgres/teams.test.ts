import { randomBytes } from 'node:crypto';
import { oneOfEach, runCoreScenario } from '../support/core-scenario';
import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { startService, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const backendUrl = process.env['EDGE_POLICY_POSTGRES_URL'] ?? '';

// The server may be a team's own: the names of the stacks are of this run alone.
const unique = (name: string): string => `${name}-${randomBytes(4).toString('hex')}`;

/** A program with so many rules of a block of addresses. */
const rules = (block: number, count: number) =>
  program(`
    for (let index = 0; index < ${count}; index++) {
      new IpPolicyRule(\`rule-\${index}\`, { ipPolicyId: '${policyId}', action: 'deny', cidr: \`10.${block}.\${index}.0/24\` });
    }
    return {};
  `);

beforeAll(() => {
  if (backendUrl === '') throw new Error('run these tests with `npm run test:postgres`');
});

test('the life of all three resources, with the state in the database', async () => {
  const { stack, emulator } = await stackOnService({
    program: oneOfEach(),
    backendUrl,
    project: unique('core'),
  });
  await runCoreScenario(stack, emulator);
  await stack.call(['stack', 'rm', '--yes']);
});

test('two stacks run at once against one rate-limited account, and both finish', async () => {
  const service = await startService({
    switches: { rateLimit: 40, rateLimitWindowMs: 2_000, retryAfter: 'absent' },
  });
  const project = unique('teams');
  const stacks = await Promise.all(
    [1, 2].map((block) =>
      stackOnService({ program: rules(block, 40), backendUrl, project, stack: `team-${block}` }, service),
    ),
  );
  await Promise.all(stacks.map(({ stack }) => stack.up()));
  expect(service.emulator.state().rules).toHaveLength(80);
  expect(service.emulator.journal.some(({ status }) => status === 429)).toBe(true);
  await Promise.all(
    stacks.map(async ({ stack }) => {
      expect(ownResources(await stack.state())).toHaveLength(40);
      await stack.destroy();
      await stack.call(['stack', 'rm', '--yes']);
    }),
  );
  expect(service.emulator.state().rules).toEqual([]);
});
