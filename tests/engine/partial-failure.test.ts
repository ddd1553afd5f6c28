import type { Emulator } from '../../emulator/src/index';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { literal, program } from '../support/programs';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { ownResources, type ResourceState } from '../support/stack-state';
import { testedHost } from '../support/tested-host';

const policy = (name: string): string =>
  JSON.stringify({ inbound: [{ name, expressions: ['true'], actions: [{ type: 'deny' }] }] });

/** A rule and a filter whose texts change with the revision, and a traffic policy that may come later. */
const revision = (number: number, options: { readonly hasPolicy: boolean }) =>
  program(`
    const secret = (text) => pulumi.secret(process.env.CANARY_SECRET + text);
    new IpPolicyRule('rule', { ...${literal({ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId })}, description: secret(' ${number}') });
    new HttpsEdgeRouteUserAgentFilterModule('filter', ${literal({ edgeId: httpsEdgeId, routeId, deny: [`bot ${number}`] })});
    if (${options.hasPolicy}) {
      const value = pulumi.secret(${literal(policy('PLACE'))}.replace('PLACE', process.env.CANARY_SECRET + ' ${number}'));
      new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value });
    }
    return {};`);

interface Breakage {
  /** Whether the writes have their effect all the same. */
  readonly when: 'before' | 'after';
  /** A create of the policy looks first, and must find that nothing is there. */
  readonly isPolicyNew: boolean;
}

/** No write is answered and nothing can be read: what became of each write stays open. */
function breakService(emulator: Emulator, { when, isPolicyNew }: Breakage): () => void {
  const unreadable = { method: 'GET', kind: 'reset', times: 'always' } as const;
  const faults = [
    ...['PATCH', 'PUT'].map((method) => emulator.fault({ method, kind: 'reset', when, times: 'always' })),
    emulator.fault({ ...unreadable, path: '/ip_policy_rules/{id}' }),
    emulator.fault({ ...unreadable, path: '/edges/https/{edge}/routes/{route}/user_agent_filter' }),
    emulator.fault({ ...unreadable, path: '/edges/tcp/{edge}/traffic_policy', nth: isPolicyNew ? 2 : 1 }),
  ];
  return () => {
    for (const fault of faults) fault.remove();
  };
}

const named = (resources: readonly ResourceState[], name: string): ResourceState | undefined =>
  resources.find(({ urn }) => urn.endsWith(`::${name}`));

async function expectHealthy(stack: PulumiStack, emulator: Emulator): Promise<void> {
  await stack.expectEmptyPreview();
  const state = ownResources(await stack.state());
  for (const { initErrors } of state) expect(initErrors ?? []).toEqual([]);
  expect(named(state, 'rule')?.id).toBe(emulator.state().rules[0]?.id);
  expect(emulator.state().rules).toHaveLength(1);
}

test('writes whose outcome stays open keep id, properties and reference, and up, refresh and destroy go on from there', async () => {
  const { stack, emulator } = await stackOnService({
    program: revision(1, { hasPolicy: false }),
    config: { 'edge-policy:maxAttempts': 1 },
  });
  await stack.up();
  const ruleId = emulator.state().rules[0]?.id;

  const fail = async (number: number, when: 'before' | 'after'): Promise<void> => {
    stack.writeProgram(revision(number, { hasPolicy: true }));
    const mend = breakService(emulator, { when, isPolicyNew: number === 2 });
    const failed = await stack.up({ expect: 'failure', args: ['--continue-on-error'] });
    mend();
    expect(failed.errors.join('\n')).toContain('may differ from what is declared');
    const state = ownResources(await stack.state());
    expect(state.map(({ urn }) => urn.slice(urn.lastIndexOf(':') + 1)).sort()).toEqual([
      'filter',
      'policy',
      'rule',
    ]);
    for (const resource of state) {
      expect(resource.initErrors).toHaveLength(1);
      expect('__provider' in (resource.outputs ?? {})).toBe(testedHost === 'dynamic');
    }
    expect(named(state, 'rule')).toMatchObject({ id: ruleId, outputs: { cidr: '10.0.0.0/8' } });
    expect(named(state, 'policy')?.id).toBe(tcpEdgeId);
  };

  await fail(2, 'before');
  await stack.up();
  expect(emulator.state().rules).toMatchObject([{ id: ruleId, description: `${stack.secret} 2` }]);
  expect(emulator.state().tcpModules[tcpEdgeId]?.value).toBe(policy(`${stack.secret} 2`));

  await fail(3, 'after');
  await stack.refresh();
  await stack.up();
  expect(emulator.state().httpsModules[`${httpsEdgeId}/${routeId}`]?.deny).toEqual(['bot 3']);
  await expectHealthy(stack, emulator);

  await fail(4, 'after');
  // The program goes back to what state holds, and the service may hold something else.
  stack.writeProgram(revision(3, { hasPolicy: true }));
  await stack.up();
  expect(emulator.state().rules).toMatchObject([{ id: ruleId, description: `${stack.secret} 3` }]);
  await expectHealthy(stack, emulator);

  await fail(5, 'before');
  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
  expect((await stack.state()).resources).toEqual([]);
});
