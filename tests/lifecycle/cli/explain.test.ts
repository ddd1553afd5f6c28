import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { filter, trafficPolicy } from '../../support/page-samples';
import { serviceWith } from '../../support/service-stack';
import { ENCRYPTED, resource as placed } from '../../support/state-resource';
import { added, kept, previewText, ruleSet } from '../../unit/review/preview-builder';
import { denyIf, rule, within } from '../../unit/review/inputs';

const route = `${httpsEdgeId}/${routeId}`;

/** A resource without a line of the program. */
const resource = (...of: Parameters<typeof placed>) => ({ ...placed(...of), sourcePosition: undefined });
const office = resource('IpPolicyRule', 'office', rule('203.0.113.0/24', 'allow', policyId));
const attacker = resource('IpPolicyRule', 'attacker', rule('203.0.113.66/32', 'deny', policyId));
const agents = resource('HttpsEdgeRouteUserAgentFilterModule', 'agents', filter('(?i)curl'));
const hidden = resource('IpPolicyRule', 'hidden', { ...rule('', 'deny', policyId), cidr: ENCRYPTED });

const asked = (resources: readonly object[], ...args: string[]) =>
  new CommandLine().withPulumi(stackHolding(resources)).run('explain', ...args);

const denied = '"203.0.113.66/32" is kept out by the deny rule "203.0.113.66/32" of "attacker"';

test.each([
  ['203.0.113.7', 'let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24" of "office"\n'],
  ['203.0.113.66', `kept out: ${denied}\n`],
  ['198.51.100.1', 'kept out: "198.51.100.1/32" is kept out because no rule lets it in\n'],
  [
    '203.0.113.64/28',
    'partly let in: 4 parts, "203.0.113.72/29", "203.0.113.68/30", "203.0.113.64/31" and 1 more (15 addresses)',
  ],
])('by the state of the stack: %s', async (network, text) => {
  const result = await asked([office, attacker], network, '--policy', policyId);
  expect(result).toMatchObject({ ...printed(0, text), stderr: '' });
});

test('a rule that has ended counts until the next up, and is said to have ended; one of the future is not', async () => {
  const held = (until: string) => {
    const line = `203.0.113.0/24: allow until ${until}`;
    return resource('IpPolicyRuleSet', 'guests', { ipPolicyId: policyId, rules: `@rules\n${line}\n` });
  };
  const answer = async (until: string) =>
    (await asked([held(until)], '203.0.113.7', '--policy', policyId)).stdout;
  const letIn = 'let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24" of "guests"';
  expect(await answer('2020-01-31')).toBe(`${letIn}, which has ended: the next "pulumi up" deletes it\n`);
  expect(await answer('2999-01-31')).toBe(`${letIn}\n`);
});

test('a secret of the state leaves open what it may decide, and is not asked for in clear', async () => {
  const line = new CommandLine().withPulumi(stackHolding([office, hidden]));
  const answer = await line.run('explain', '203.0.113.7', '--policy', policyId);
  expect(answer).toMatchObject({ exitCode: 2, stdout: 'not decided: the "cidr" of "hidden" is secret\n' });
  expect(line.pulumiCalls().join('\n')).not.toContain('--show-secrets');
});

test('what a replacement has deleted already is not there', async () => {
  const open = { ...office, pendingReplacement: true };
  expect((await asked([open, attacker], '203.0.113.7', '--policy', policyId)).stdout).toContain('kept out');
});

test('two filters for one route decide nothing, in whatever order', async () => {
  const open = { ...agents, urn: `${agents.urn}-too`, inputs: { ...agents.inputs, deny: [] } };
  for (const both of [
    [agents, open],
    [open, agents],
  ])
    expect(await asked(both, '--route', route, '--user-agent', 'curl/8')).toMatchObject({
      ...{ exitCode: 2, stdout: 'not decided: the filter is declared twice\n' },
    });
});

const edge = (enabled: boolean, ...inbound: readonly object[]) =>
  resource('TcpEdgeTrafficPolicyModule', 'tcp', { ...trafficPolicy(...inbound), enabled });

const deny = (name: string, expression: string) => ({ name, ...denyIf(expression) });
const branch = deny('branch', within('203.0.113.0/24'));
const low = deny('low', within('198.51.100.0/25'));
const high = deny('high', within('198.51.100.128/25'));
const country = deny('country', "conn.geo.country_code == 'DE'");

const UNKNOWN =
  'not decided: rule "country" of "tcp" has conditions or actions whose outcome is not known here';
const BRANCH = 'kept out: rule "branch" of "tcp" refuses "203.0.113.7/32"';
const BOTH = 'kept out: the rules of "tcp" together refuse "198.51.100.0/24"';
const PART = 'partly let in: 1 part, "198.51.100.128/25" (128 addresses); the rules of "tcp" refuse others';

test.each<[string, object, string, string, number?]>([
  ['no rule', edge(true, branch), '198.51.100.7', 'let in: no rule of "tcp" refuses "198.51.100.7/32"'],
  ['a rule', edge(true, low, branch), '203.0.113.7', BRANCH],
  ['two rules', edge(true, low, high), '198.51.100.0/24', BOTH],
  ['a part', edge(true, low), '198.51.100.0/24', PART],
  ['the switch', edge(false, branch), '203.0.113.7', 'let in: the traffic policy of "tcp" is off'],
  ['the country', edge(true, country), '203.0.113.7', UNKNOWN, 2],
])('a connection through a TCP edge: %s decides', async (_what, module, network, answer, exitCode = 0) => {
  const stdout = `${answer}\n`;
  expect(await asked([module], network, '--tcp-edge', tcpEdgeId)).toMatchObject({ exitCode, stdout });
});

test('explain takes the same assumptions as review: phases, and that a rule with an expression that fails does not apply', async () => {
  const value = JSON.stringify({ on_quic_connect: [branch] });
  const module = resource('TcpEdgeTrafficPolicyModule', 'tcp', { edgeId: tcpEdgeId, enabled: true, value });
  const ask = async (of: object, ...args: string[]) =>
    (await asked([of], '203.0.113.7', '--tcp-edge', tcpEdgeId, ...args)).stdout;
  expect(await ask(module)).toMatch(/^not decided/);
  expect(await ask(module, '--phases', 'on_quic_connect')).toMatch(/^kept out: rule "branch"/);
  // Nobody is in two countries, but both comparisons may fail.
  const fails = deny('odd', "conn.geo.country_code == 'DE' && conn.geo.country_code == 'FR'");
  expect(await ask(edge(true, fails))).toMatch(/^let in/);
});

test('by the service, whichever stack declared it; of the whole account, edges and routes are those of the state', async () => {
  const service = await serviceWith(
    { id: 'ipr_one', cidr: '203.0.113.0/24' },
    { cidr: '0.0.0.0/0', ip_policy_id: otherPolicyId },
  );
  service.emulator.seed({
    httpsModules: { [route]: { enabled: true, allow: [], deny: ['curl'] } },
    tcpModules: { [tcpEdgeId]: { enabled: false, value: '{"inbound":[]}' } },
  });
  const line = new CommandLine(service);
  const live = (...args: string[]) => line.run('explain', '--live', ...args);
  const answer = async (...args: string[]) => (await live(...args)).stdout;
  expect(await answer('203.0.113.7', '--policy', policyId)).toContain(
    'allow rule "203.0.113.0/24" of "ipr_one"',
  );
  expect(await answer('198.51.100.1', '--policy', policyId)).toMatch(/^kept out/);
  expect(await answer('--route', route, '--user-agent', 'curl/8')).toMatch(/^kept out/);
  expect(await answer('198.51.100.1', '--tcp-edge', tcpEdgeId)).toMatch(
    /^let in: the traffic policy of .* is off/,
  );
  // Only the state names the edges and routes.
  expect((await live('198.51.100.1')).exitCode).toBe(3);
  line.withPulumi(stackHolding([edge(true, branch)]));
  expect((await answer('198.51.100.1')).split('\n').map((each) => each.split(':')[0])).toEqual([
    `${policyId}  kept out`,
    `${otherPolicyId}  let in`,
    `"tcp" ${tcpEdgeId}  let in`,
    '',
  ]);
});

describe('without a subject, everything answers', () => {
  const temporary = resource('IpPolicyRuleSet', 'guests', {
    ipPolicyId: otherPolicyId,
    rules: [{ cidr: '203.0.113.0/25', action: 'allow', until: '2026-12-31' }],
  });
  const everything = [office, attacker, agents, edge(true, branch), temporary];

  const both = '"office" and "attacker"';

  test('a line each, which says what decides', async () => {
    const { exitCode, stdout } = await asked(everything, '203.0.113.7');
    expect(stdout.split('\n')).toEqual([
      `${both} ${policyId}  let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/24" of "office"`,
      `"guests" ${otherPolicyId}  let in: "203.0.113.7/32" is let in by the allow rule "203.0.113.0/25" of "guests"`,
      `"agents" ${route}  not decided: it depends on the user agent`,
      `"tcp" ${tcpEdgeId}  kept out: rule "branch" of "tcp" refuses "203.0.113.7/32"`,
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  test('what looks at addresses decides the exit code, and nothing but routes answers none', async () => {
    expect((await asked([agents, office, hidden], '203.0.113.7')).exitCode).toBe(2);
    expect(await asked([agents], '203.0.113.7')).toMatchObject({
      ...{ exitCode: 2, stdout: 'not decided: it depends on the user agent\n' },
    });
    expect((await asked(everything, '203.0.113.7', '--user-agent', 'curl/8')).exitCode).toBe(0);
  });

  test('of a network the parts, with the line of the program where one rule decides', async () => {
    const at = (line: number) => ({ sourcePosition: `project:///index.ts#${line},1` });
    const resources = [office, attacker, { ...edge(true, branch), ...at(9) }];
    const { exitCode, stdout } = await asked(resources, '203.0.113.64/29');
    expect(stdout.split('\n')).toEqual([
      `${both} ${policyId}  partly let in: 3 parts, "203.0.113.68/30", "203.0.113.64/31" and "203.0.113.67/32" (7 addresses); "203.0.113.64/31" is let in by the allow rule "203.0.113.0/24" of "office", and ${denied}`,
      `"tcp" ${tcpEdgeId}  kept out: rule "branch" of "tcp" refuses "203.0.113.64/29" (index.ts:9)`,
      '',
    ]);
    expect(exitCode).toBe(0);
  });

  test('by a preview, before and after the change; as JSON, too', async () => {
    const line = new CommandLine();
    const guests = [{ cidr: '198.51.100.0/24', action: 'allow', until: '2026-12-31' }];
    line.write(
      'preview.json',
      previewText([
        kept('office', rule('203.0.113.0/24', 'allow', policyId)),
        added('attacker', rule('203.0.113.66/32', 'deny', policyId)),
        ruleSet('guests', { after: { ipPolicyId: otherPolicyId, rules: guests } }),
      ]),
    );
    const ask = (...args: string[]) =>
      line.run('explain', '198.51.100.7', '--preview', 'preview.json', ...args);
    const out = 'kept out: "198.51.100.7/32" is kept out because no rule lets it in';
    const none = `not decided: nothing is declared for "${otherPolicyId}" here`;
    const letIn = 'let in: "198.51.100.7/32" is let in by the allow rule "198.51.100.0/24" of "guests"';
    expect((await ask()).stdout.split('\n')).toEqual([
      `${both} ${policyId}  before  ${out}`,
      `${both} ${policyId}  after   ${out}`,
      `"guests" ${otherPolicyId}  before  ${none}`,
      `"guests" ${otherPolicyId}  after   ${letIn} (index.ts:3)`,
      '',
    ]);
    const source = { file: 'index.ts', line: 3 };
    expect((await ask('--json')).json).toMatchObject({
      formatVersion: 1,
      network: '198.51.100.7/32',
      subjects: [
        { subject: policyId, answers: [{ when: 'before' }, { when: 'after', decision: 'kept-out' }] },
        {
          ...{ kind: 'policy', subject: otherPolicyId },
          answers: [{ decision: 'not-there' }, { decision: 'let-in', name: 'guests', source }],
        },
      ],
    });
  });

  test('with a user agent, routes answer, too; without an address they alone do', async () => {
    const refused = `${route}  kept out: the deny pattern "(?i)curl" of "agents" decides`;
    const whole = await asked(everything, '203.0.113.7', '--user-agent', 'curl/8');
    expect(whole).toMatchObject(printed(0, refused));
    const { json } = await asked(everything, '--user-agent', 'firefox', '--json');
    expect(json).toMatchObject({
      userAgent: 'firefox',
      subjects: [{ kind: 'route', subject: route, answers: [{ decision: 'let-in' }] }],
    });
  });

  test('what is hidden is no answer: the policy of a rule', async () => {
    const inputs = { ...rule('0.0.0.0/0', 'allow', ''), ipPolicyId: ENCRYPTED };
    const answer = await asked([resource('IpPolicyRule', 'somewhere', inputs)], '203.0.113.7');
    expect(answer).toMatchObject({ exitCode: 2, stdout: 'not decided: its identifier is secret\n' });
  });

  test('a stack without any declaration decides nothing', async () => {
    expect(await asked([], '203.0.113.7')).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

test.each([
  [[], 'Give an address or a network'],
  [['203.0.113.7', '--policy', policyId, '--tcp-edge', tcpEdgeId], 'Give one of'],
  [['203.0.113.7', '--policy', policyId, '--user-agent', 'x'], 'Only a route looks at the user agent'],
  [['--policy', policyId], 'Give an address or a network'],
  [['--route', route], 'A route needs --user-agent'],
  [['203.0.113.7', '--route', route, '--user-agent', 'x'], 'A route needs --user-agent'],
  [['203.0.113.7/33', '--policy', policyId], 'must have a whole number from 0 to 32 after the slash'],
  [['203.0.113.7', '--policy', policyId, '--live', '--preview', 'x'], 'not both'],
  [['203.0.113.7', '--policy', 'office'], '"office" is not an IP'],
])('wrong usage %j is refused', async (args, message) => {
  expect(await asked([], ...args)).toMatchObject({ ...noted(3, message), stdout: '' });
});
