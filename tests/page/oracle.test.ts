// What the page answers in the browser is what `explain` answers here; `unit/review/oracle/` holds that against oracles.
import { resourcesOfState } from '../../cli/src/explain/sources';
import { parseCidr } from '../../provider/src/values/cidr';
import { DEFAULT_ASSUMPTIONS, explainerOf, snapshotOf } from '../../review/src';
import { open, pageOfStack } from '../support/access-page';
import { resource, secretOf } from '../support/state-resource';
import { Dice } from '../support/dice';
import { httpsEdgeId, otherPolicyId, policyId, routeId } from '../support/ids';
import { filter, trafficPolicy } from '../support/page-samples';

const STACKS = 20;
const ADDRESSES = 100;

/** Crowded, so that networks lie within each other; some in IPv6. */
function networkIn(dice: Dice): string {
  if (dice.isLucky(0.1))
    return dice.pick(['2001:db8::/32', '2001:db8:2::/47', `2001:db8:${dice.below(4)}::/48`]);
  const length = dice.pick([0, 8, 16, 22, 24, 26, 30, 32]);
  const address = ((198 << 24) | (18 << 16) | dice.below(1024)) >>> 0;
  const first = length === 0 ? 0 : (address & (0xffff_ffff << (32 - length))) >>> 0;
  return `${[24, 16, 8, 0].map((bits) => (first >>> bits) & 255).join('.')}/${length}`;
}

function addressIn(dice: Dice): string {
  if (dice.isLucky(0.1)) return `2001:db8:${dice.below(4)}::${dice.below(9)}`;
  if (dice.isLucky(0.2)) return networkIn(dice);
  return dice.isLucky(0.1) ? `10.0.0.${dice.below(256)}` : `198.18.${dice.below(4)}.${dice.below(256)}`;
}

const AGENTS = ['curl/8', 'Googlebot/2.1', 'Mozilla/5.0 (X11)', 'kube-probe/1.31'];

/** A stack with rules, an edge and a route; now and then something of it is secret, ends, or has an unknown effect. */
function stackOf(dice: Dice) {
  const action = (): string => (dice.isLucky(0.6) ? 'allow' : 'deny');
  const rules = Array.from({ length: dice.below(14) }, (_, at) => {
    const cidr = dice.isLucky(0.03) ? secretOf('x') : networkIn(dice);
    const ipPolicyId = dice.pick([policyId, otherPolicyId]);
    return resource('IpPolicyRule', `rule-${at}`, { ipPolicyId, cidr, action: action() });
  });
  const networks = [...new Set(Array.from({ length: 1 + dice.below(14) }, () => networkIn(dice)))];
  const lines = networks.map(
    (cidr) => `${cidr}: ${action()}${dice.isLucky(0.2) ? ' until 2020-01-31' : ''}\n`,
  );
  const rulesOfSet = `@rules\n${lines.join('')}`;
  const ofSet = { ipPolicyId: policyId, rules: rulesOfSet, exclusive: dice.isLucky(0.1) };
  const test = (): string => {
    const cidr = networkIn(dice);
    const within = dice.isLucky(0.2)
      ? "conn.geo.country_code == 'XX'"
      : `inCidrRange(conn.client_ip, '${cidr}')`;
    return dice.isLucky(0.2) ? `!(${within})` : within;
  };
  const inbound = Array.from({ length: dice.below(5) }, (_, at) => ({
    ...{ name: `r${at}`, expressions: [test()], actions: [{ type: dice.isLucky(0.9) ? 'deny' : 'log' }] },
  }));
  const ofEdge = { ...trafficPolicy(...inbound), enabled: dice.isLucky(0.9) };
  const patterns = ['(?i)bot', '^curl/', 'Mozilla', '^$', '(', '\\d'].filter(() => dice.isLucky(0.4));
  const ofRoute = { ...filter(...patterns), allow: dice.isLucky(0.3) ? ['^Google'] : [] };
  return [
    ...rules,
    resource('IpPolicyRuleSet', 'set', ofSet),
    resource('TcpEdgeTrafficPolicyModule', 'edge', ofEdge),
    resource('HttpsEdgeRouteUserAgentFilterModule', 'agents', ofRoute),
  ];
}

/** Runs in the page: types each text, and reads the answers, each by the id that it is about. */
const typed = (texts: readonly string[], input: string, answers: string): string =>
  `${JSON.stringify(texts)}.map((text) => {
    const input = ${input};
    input.value = text;
    input.dispatchEvent(new Event('input'));
    return Object.fromEntries([...${answers}.querySelectorAll('.badge')].map((badge) =>
      [badge.closest('.answer')?.querySelector('.id').textContent ?? 'route', badge.textContent.slice(2)]));
  })`;

const WORDS = {
  ...{ 'let-in': 'In', partly: 'Partly', 'kept-out': 'Out', undecided: 'Not decided', 'not-there': '' },
};

/** The words of the page for a network, by the id of each policy and edge, or for a client of the route. */
function explained(resources: ReturnType<typeof stackOf>) {
  const state = { manifest: { time: '' }, resources, pendingOperations: [] };
  const explainer = explainerOf(snapshotOf(resourcesOfState(state)), DEFAULT_ASSUMPTIONS);
  const wordOf = (question: Parameters<typeof explainer.answer>[0]) =>
    WORDS[explainer.answer(question).decision];
  const wordsFor = (text: string): Record<string, string> => {
    const parsed = parseCidr(text);
    const network = parsed.ok ? { network: parsed.cidr } : {};
    const subjects = explainer.subjects.filter(({ kind }) => kind !== 'route');
    return Object.fromEntries(subjects.map((each) => [each.subject, wordOf({ ...each, ...network })]));
  };
  const wordForAgent = (userAgent: string): string =>
    wordOf({ kind: 'route', subject: `${httpsEdgeId}/${routeId}`, userAgent });
  return { wordsFor, wordForAgent };
}

test('2,000 random addresses over random stacks, and agents: the page and explain agree', async () => {
  const dice = new Dice(Number(process.env['EDGE_POLICY_SEED']));
  const counts = new Map<string, number>();
  for (let stack = 0; stack < STACKS; stack += 1) {
    const resources = stackOf(dice);
    const { wordsFor, wordForAgent } = explained(resources);
    const { page, incidents } = await open(await pageOfStack(resources));
    const addresses = Array.from({ length: ADDRESSES }, () => addressIn(dice));
    const answered = await page.evaluate<Record<string, string>[]>(
      typed(addresses, 'document.querySelector(".search input")', 'document.querySelector(".answers")'),
    );
    for (const [at, address] of addresses.entries()) {
      const words = wordsFor(address);
      for (const word of Object.values(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
      const context = JSON.stringify({ resources, address });
      expect({ context, words: answered[at] }).toEqual({ context, words });
    }
    const tried = await page.evaluate<Record<string, string>[]>(
      typed(
        AGENTS,
        '[...document.querySelectorAll("input")].find((each) => each.placeholder.startsWith("curl"))',
        'document.querySelector(".agent")',
      ),
    );
    expect(tried).toEqual(AGENTS.map((agent) => ({ route: wordForAgent(agent) })));
    expect(incidents).toEqual([]);
  }
  // The stacks are of every kind.
  for (const word of ['In', 'Out', 'Partly', 'Not decided']) expect(counts.get(word)).toBeGreaterThan(20);
});
