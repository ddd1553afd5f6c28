// Two entries of a state have one id, or one object: an interrupted change, an edited state or a second import has left them. What
// one of them gives up stays, as long as the other one is declared.
import type { Host, ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';

const [a, b] = ['10.0.0.0/24', '10.0.1.0/24'];
const denies = (...cidrs: string[]): string =>
  JSON.stringify(cidrs.map((cidr) => ({ cidr, action: 'deny', description: 'out' })));

const inputsOf: Partial<Record<ResourceType, Bag>> = {
  IpPolicyRuleSet: { ipPolicyId: policyId, rules: denies(a, b) },
  IpPolicyRule: { ipPolicyId: policyId, cidr: a, action: 'deny' },
  TcpEdgeTrafficPolicyModule: { edgeId: tcpEdgeId, value: '{"inbound":[]}' },
};
const types = Object.keys(inputsOf) as ResourceType[];
const declared = (type: ResourceType, name: string, inputs: Bag = {}): Declaration => ({
  type,
  name,
  inputs: { ...inputsOf[type], ...inputs },
});
const hosts: readonly Host[] = ['dynamic', 'native'];
const everyKind = hosts.flatMap((host) => types.map((type) => [host, type] as const));

const live = ({ emulator }: Scene): string => JSON.stringify(emulator.state());

/** A stack on which each call has a process of its own. */
async function start(host: Host) {
  const scene = await startScene();
  const engine = new StandInEngine(() => scene.newProcess({}, { host }));
  const up = async (...program: readonly Declaration[]): Promise<readonly string[]> => {
    const steps = await done(engine.up(program));
    expect((await engine.preview(program)).steps).toEqual([]);
    return steps;
  };
  return { scene, engine, up };
}

/** A resource, and a second entry of state for it. */
async function startTwins(host: Host, type: ResourceType) {
  const stack = await start(host);
  await stack.up(declared(type, 'one'));
  const twin = stack.engine.state.map((entry) => ({ ...entry, name: 'two' }));
  stack.engine.state = [...stack.engine.state, ...twin];
  return { ...stack, before: live(stack.scene) };
}

describe.each(everyKind)('%s host: two entries of one %s', (host, type) => {
  test.each(['one', 'two'])(
    '%s stays in the program: the delete of the other sends nothing and says so',
    async (name) => {
      const { scene, engine, up, before } = await startTwins(host, type);
      expect(await up(declared(type, name))).toEqual(['delete']);
      expect(live(scene)).toBe(before);
      expect(engine.warnings.join('\n')).toMatch(
        /^Kept (IP policy rules|.* so its live content may differ from)/m,
      );
    },
  );

  test('one that waits for its deletion under the name of the other: its delete sends nothing', async () => {
    const { scene, engine, up, before } = await startTwins(host, type);
    engine.state = engine.state.map((entry) =>
      entry.name === 'two' ? { ...entry, name: 'one', isDoomed: true } : entry,
    );
    expect(await up(declared(type, 'one'))).toEqual(['delete']);
    expect(live(scene)).toBe(before);
  });

  test('both stay: the up fails, and the advice of its message loses nothing', async () => {
    const { scene, engine, up, before } = await startTwins(host, type);
    const both = [declared(type, 'one'), declared(type, 'two')];
    await expect(up(...both)).rejects.toThrow(
      /Run "pulumi refresh", then remove one of the two from the program|Keep one of them\./,
    );
    await done(engine.refresh());
    await up(declared(type, 'two'));
    expect(live(scene)).toBe(before);
  });
});

describe.each(hosts)('%s host: two entries of one set', (host) => {
  test('one that moves to another policy leaves the rules of the other where they are', async () => {
    const { scene, up } = await startTwins(host, 'IpPolicyRuleSet');
    const rulesOf = (policy: string) =>
      scene.emulator.state().rules.filter((rule) => rule.ip_policy.id === policy);
    const before = rulesOf(policyId);
    await up(
      declared('IpPolicyRuleSet', 'one'),
      declared('IpPolicyRuleSet', 'two', { ipPolicyId: otherPolicyId }),
    );
    expect(rulesOf(policyId)).toEqual(before);
    expect(rulesOf(otherPolicyId)).toHaveLength(2);
  });
});

test.each([
  ['one', 'two'],
  ['two', 'one'],
])(
  'a copy of a module is refused that a GET does not show yet: %s is registered before %s',
  async (...names) => {
    const { scene, engine, up } = await start('dynamic');
    scene.emulator.setSwitches({ moduleLagMs: 3_000 });
    await up(declared('TcpEdgeTrafficPolicyModule', 'one'));
    const both = names.map((name) => declared('TcpEdgeTrafficPolicyModule', name));
    await expect(up(...both)).rejects.toThrow('is declared twice in this program');
    expect(engine.state.map(({ name }) => name)).toEqual(['one']);
  },
);

describe('native host: one object is imported under another name, and its old name leaves', () => {
  const importIds: Partial<Record<ResourceType, (scene: Scene) => string>> = {
    IpPolicyRuleSet: () => policyId,
    IpPolicyRule: ({ emulator }) => emulator.state().rules[0]?.id ?? '',
    TcpEdgeTrafficPolicyModule: () => tcpEdgeId,
  };

  test.each(types)('%s: everything stays as it is', async (type) => {
    const { scene, engine, up } = await start('native');
    await up(declared(type, 'made'));
    const before = live(scene);
    const importId = importIds[type]?.(scene) ?? '';
    engine.state = [];
    expect(await up({ ...declared(type, 'one'), importId })).toContain('import');
    expect(await up({ ...declared(type, 'two'), importId })).toEqual(
      expect.arrayContaining(['import', 'delete']),
    );
    expect(live(scene)).toBe(before);
    expect(engine.warnings.join('\n')).toMatch(/^Kept /m);
  });
});
