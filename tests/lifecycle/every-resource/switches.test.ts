import { withoutService } from '../../../provider/src/fields/field';
import { switchTable } from '../../../emulator/src/switches';
import { declaredRule, declaredSet } from '../../support/declarations';
import { Dice } from '../../support/dice';
import { startScene } from '../../support/host';
import { httpsEdgeId, otherPolicyId, routeId, tcpEdgeId } from '../../support/ids';
import { type Declaration, done, StandInEngine } from '../../support/stand-in-engine';

const policy = (address: string) =>
  JSON.stringify({
    inbound: [{ name: 'one', expressions: [`conn.client_ip == '${address}'`], actions: [{ type: 'deny' }] }],
  });

/** One of each resource. */
const program = (cidr: string, address: string, action = 'deny'): Declaration[] => [
  declaredRule('rule', { cidr, action, description: address }),
  declaredSet('set', [{ cidr: address, action: 'allow' }], { ipPolicyId: otherPolicyId }),
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

/** Some of their positions end in a refusal, which is no difference between two of our runs: faults/ and ownership/ take those. */
const REFUSING: readonly string[] = ['parents', 'lastRuleOfPolicy'];
const busy = { pageSize: 1, listLagMs: 2_000, rateLimit: 30, rateLimitWindowMs: 2_000, simultaneousLimit: 1 };

/** The default service, and others: at first each question is answered in each way, then all at random, so that most pairs meet. */
const services = Array.from({ length: 24 }, (_, at) => {
  const dice = new Dice(at);
  const answerTo = (positions: readonly string[]) =>
    positions[at < 5 ? at % positions.length : dice.below(positions.length)];
  return {
    ...(at > 0 && busy),
    ...Object.fromEntries(
      Object.entries(switchTable).flatMap(([name, question]) =>
        'positions' in question && !REFUSING.includes(name) ? [[name, answerTo(question.positions)]] : [],
      ),
    ),
  };
});

const bags = (engine: StandInEngine) =>
  engine.state.map(({ name, inputs, outputs }) => ({ name, inputs: withoutService(inputs), outputs }));

async function expectNothingLeft(engine: StandInEngine, declared: readonly Declaration[]): Promise<void> {
  const before = bags(engine);
  expect(await engine.preview(declared)).toEqual({ steps: [], errors: [] });
  await done(engine.refresh());
  expect(bags(engine)).toEqual(before);
  expect(await engine.preview(declared)).toEqual({ steps: [], errors: [] });
}

test.each(services)(
  'on service %# nothing is left to do after an up, and a refresh finds no drift',
  async (switches) => {
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
