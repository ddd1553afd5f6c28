import { type Switches, switchTable } from '../../../emulator/src/switches';
import { startScene } from '../../support/host';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';

const policy = (address: string) =>
  JSON.stringify({
    inbound: [{ name: 'one', expressions: [`conn.client_ip == '${address}'`], actions: [{ type: 'deny' }] }],
  });

/** One of each resource. */
const program = (cidr: string, address: string, action = 'deny'): Declaration[] => [
  {
    type: 'IpPolicyRule',
    name: 'rule',
    inputs: { cidr, action, ipPolicyId: policyId, description: address },
  },
  {
    type: 'IpPolicyRuleSet',
    name: 'set',
    inputs: { ipPolicyId: otherPolicyId, rules: JSON.stringify([{ cidr: address, action: 'allow' }]) },
  },
  {
    type: 'TcpEdgeTrafficPolicyModule',
    name: 'policy',
    inputs: { edgeId: tcpEdgeId, value: policy(address) },
  },
  {
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    name: 'filter',
    inputs: { edgeId: httpsEdgeId, routeId, deny: [address.replaceAll('.', '\\.')] },
  },
];

/** Services that answer every open question of the document in another way; together they take every position. */
const services: Record<string, Partial<Switches>> = {
  'the public service': {},
  'a terse service': {
    errorBody: 'empty',
    missingRule: 'empty',
    missingModuleOnGet: 'null',
    missingModuleOnDelete: '204',
    missingParentOnPut: '400',
    missingParentOnPost: '404',
    duplicateCidr: '409',
    bareAddress: 'canonical',
    hostBits: 'canonical',
    ipv6Text: 'canonical',
    unsetText: 'empty',
    policyValue: 'reserialised',
    listOrder: 'oldest-first',
    pageSize: 1,
    nextPageUri: 'relative',
    timestamps: 'fraction',
    emptyPatch: 'ignored',
    immutablePatch: 'ignored',
    partialPut: '400',
    unknownInput: 'ignored',
    unexpectedBody: 'ignored',
    regexDialect: 'ecmascript',
    retryAfter: 'absent',
  },
  'a talkative service': {
    errorBody: 'text',
    missingRule: 'error-body-without-code',
    missingModuleOnGet: 'empty-object',
    missingParentOnPut: '422',
    missingParentOnPost: '422',
    duplicateCidr: 'accepted',
    bareAddress: 'as-sent',
    hostBits: 'as-sent',
    ipv6Text: 'as-sent',
    unsetText: 'null',
    emptyPage: 'after-first',
    listLagMs: 2_000,
    timestamps: 'offset',
    extraFields: 'some',
    retryAfter: 'date',
    rateLimit: 30,
    rateLimitWindowMs: 2_000,
    simultaneousLimit: 1,
  },
  'a service behind a proxy': {
    errorBody: 'html',
    missingModuleOnGet: 'defaults',
    parents: 'any',
    retryAfter: 'nonsense',
    rateLimit: 30,
    rateLimitWindowMs: 2_000,
  },
  'a service without error codes': { errorBody: 'json-without-code', missingModuleOnGet: '404' },
};

/** Positions that end in a refusal, which is no difference between two of our runs; faults/ and ownership/ take them. */
const refusals: readonly string[] = ['parents: seeded', 'lastRuleOfPolicy: 400'];

test('the services take every position of every switch', () => {
  const taken = Object.values(services).flatMap((switches) =>
    Object.entries(switches).map(([name, position]) => `${name}: ${position}`),
  );
  const positions = Object.entries(switchTable).flatMap(([name, { kind, start, ...rest }]) =>
    kind === 'choice' && 'positions' in rest
      ? rest.positions.filter((position) => position !== start).map((position) => `${name}: ${position}`)
      : [],
  );
  expect(positions.filter((position) => !taken.includes(position) && !refusals.includes(position))).toEqual(
    [],
  );
});

const bags = (engine: StandInEngine) =>
  engine.state.map(({ name, inputs, outputs }) => ({ name, inputs, outputs }));

async function expectNothingLeft(engine: StandInEngine, declared: readonly Declaration[]): Promise<void> {
  const before = bags(engine);
  expect(await engine.preview(declared)).toEqual({ steps: [], errors: [] });
  await done(engine.refresh());
  expect(bags(engine)).toEqual(before);
  expect(await engine.preview(declared)).toEqual({ steps: [], errors: [] });
}

test.each(Object.entries(services))(
  'on %s nothing is left to do after an up, and a refresh finds no drift',
  async (_name, switches) => {
    const scene = await startScene();
    const { emulator } = scene;
    emulator.setSwitches(switches);
    const engine = new StandInEngine(() => scene.newProcess());
    const up = async (declared: readonly Declaration[]): Promise<void> => {
      await done(engine.up(declared));
      await expectNothingLeft(engine, declared);
    };
    await up(program('10.0.0.0/8', '192.0.2.1'));
    await up(program('2001:DB8::/33', '198.51.100.2'));
    await up(program('2001:db8::1', '2001:DB8:0:0::2', 'allow'));
    expect(emulator.state().rules).toMatchObject([{ action: 'allow' }, { action: 'allow' }]);
    await done(engine.destroy());
    expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
  },
);
