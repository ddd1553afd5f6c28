import { output } from '@pulumi/pulumi';
import { checkFields } from '../../../provider/src/fields/check';
import { UNKNOWN } from '../../../provider/src/values/unknowns';
import { httpsEdgeRouteUserAgentFilterModuleFields } from '../../../provider/src/resources/https-edge-route-user-agent-filter-module';
import { ipPolicyRuleFields } from '../../../provider/src/rule/rule';
import { ipPolicyRuleSetFields } from '../../../provider/src/resources/ip-policy-rule-set';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';

const rule = { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: policyId };
const checkRule = (news: object, olds: object = {}) =>
  checkFields(ipPolicyRuleFields, olds, { ...rule, ...news });
const failuresOf = (table: object, news: object) => checkFields(table, {}, news).failures;

describe('an IP policy rule', () => {
  test('an address becomes its network', () => {
    expect(checkRule({ cidr: '2001:DB8::1' })).toEqual({
      inputs: { ...rule, cidr: '2001:db8::1/128' },
      failures: [],
      warnings: [],
    });
  });

  test('all failures come at once, each with the path of its property', () => {
    const { failures } = checkRule({
      cidr: '10.0.0.1/8',
      action: 'Allow',
      ipPolicyId: 'ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
      description: 'é'.repeat(128),
      metadata: 'x'.repeat(4097),
      colour: 'red',
    });
    expect(failures).toHaveLength(6);
    expect(failures[0]).toMatch(/^cidr: .*10\.0\.0\.1\/32.*10\.0\.0\.0\/8/);
    expect(failures[1]).toMatch(/^action: .*allow/);
    expect(failures[2]).toMatch(/^ipPolicyId: .*rule id/);
    expect(failures[3]).toMatch(/^description: .*256 bytes.*255/);
    expect(failures[4]).toMatch(/^metadata: .*4097 bytes.*4096/);
    expect(failures[5]).toMatch(/^colour: is not a property of this resource/);
  });

  test.each(['cidr', 'action', 'ipPolicyId'])('%s is required', (name) => {
    const { [name as 'cidr']: _left, ...rest } = rule;
    expect(failuresOf(ipPolicyRuleFields, rest)).toEqual([`${name}: is required`]);
  });

  test.each([5, ['10.0.0.0/8'], { cidr: '10.0.0.0/8' }])(
    'a value that is no text is refused by its type, and an old one of another type is no help: %j',
    (wrong) => {
      for (const table of [ipPolicyRuleFields, tcpEdgeTrafficPolicyModuleFields] as const) {
        const name = table === ipPolicyRuleFields ? 'cidr' : 'edgeId';
        const right = table === ipPolicyRuleFields ? rule.cidr : tcpEdgeId;
        const { failures } = checkFields(table, { [name]: right }, { ...rule, [name]: wrong });
        expect(failures).toContainEqual(
          expect.stringMatching(new RegExp(`^${name}: must be a string, not `)),
        );
        expect(checkFields(table, { [name]: wrong }, { [name]: right }).inputs[name]).toBe(right);
      }
    },
  );

  test('exactly the limit is accepted: in bytes, and in letters of an identifier', () => {
    const ipPolicyId = `ipp_${'a'.repeat(124)}`;
    const full = { ipPolicyId, description: 'é'.repeat(127) + 'x', metadata: 'x'.repeat(4096) };
    expect(checkRule(full).failures).toEqual([]);
  });

  test('an empty description is the same as none', () => {
    const checked = checkRule({ description: '', metadata: null });
    expect(checked).toEqual({ inputs: rule, failures: [], warnings: [] });
  });

  test('no failure echoes a text that may be secret', () => {
    const secret = 'hunter2'.repeat(700);
    const { failures } = checkRule({ description: secret, metadata: secret });
    expect(failures).toHaveLength(2);
    expect(failures.join()).not.toContain('hunter2');
  });

  test('where the network is the same, the old text stays', () => {
    const { inputs } = checkRule({ cidr: '192.0.2.1' }, { cidr: '192.0.2.1/32' });
    expect(inputs['cidr']).toBe('192.0.2.1/32');
  });
});

const surrogate = 'has half of a character at position 3 (a lone surrogate), which UTF-8 cannot encode';
const letters =
  'is not an IP policy id: an IP policy id starts with ipp_ and has at most 128 letters, digits, ".", "_", "~" and "-"';

describe.each<[property: string, refused: Readonly<Record<string, string>>]>([
  [
    'action',
    {
      Allow: '"Allow" is not an action: did you mean allow?',
      alow: '"alow" is not an action: did you mean allow?',
      block: '"block" is not an action: must be allow or deny',
      ['__proto__']: '"__proto__" is not an action: must be allow or deny',
      '': '"" is not an action: must be allow or deny',
    },
  ],
  [
    'ipPolicyId',
    {
      ipr_1: '"ipr_1" is an IP policy rule id: an IP policy id starts with ipp_',
      edgtcp_1: '"edgtcp_1" is a TCP edge id: an IP policy id starts with ipp_',
      IPP_1: '"IPP_1" is not an IP policy id: an IP policy id starts with ipp_',
      ipp_: `"ipp_" ${letters}`,
      'ipp_../ipr_1': `"ipp_../ipr_1" ${letters}`,
      'ipp_1\n': `"ipp_1\\u{a}" ${letters}`,
      [`ipp_${'a'.repeat(125)}`]: `"ipp_${'a'.repeat(56)}…" ${letters}`,
      '': 'is empty: an IP policy id starts with ipp_',
    },
  ],
  ['description', { 'ab\ud83d': surrogate, 'ab\ude00\ud83d': surrogate }],
])('a wrong %s', (property, refused) => {
  test.each(Object.entries(refused))('%j is refused, with what is right', (value, reason) => {
    expect(checkRule({ [property]: value }).failures).toEqual([`${property}: ${reason}`]);
  });
});

describe('a traffic policy module', () => {
  const given = { edgeId: tcpEdgeId, value: '{"inbound":[]}' };

  test('enabled is true unless it is given, and refused as a text', () => {
    const { inputs } = checkFields(tcpEdgeTrafficPolicyModuleFields, {}, given);
    expect(inputs).toMatchObject({ edgeId: tcpEdgeId, enabled: true });
    expect(failuresOf(tcpEdgeTrafficPolicyModuleFields, { ...given, enabled: 'true' })).toEqual([
      'enabled: must be true or false, not a string',
    ]);
  });

  test('failures inside the document carry their path', () => {
    const value = JSON.stringify({ inbound: [{ name: 1, expressions: ['x'], actions: [] }] });
    const failures = failuresOf(tcpEdgeTrafficPolicyModuleFields, { ...given, value });
    expect(failures).toEqual([
      expect.stringMatching(/^value\.inbound\[0\]\.name: /),
      expect.stringMatching(/^value\.inbound\[0\]\.actions: /),
    ]);
  });

  test('a key one letter away from a known one is a warning with its path, and is kept', () => {
    const value = JSON.stringify({ inbund: [] });
    const checked = checkFields(tcpEdgeTrafficPolicyModuleFields, {}, { ...given, value });
    expect(checked.failures).toEqual([]);
    expect(checked.warnings).toEqual([expect.stringMatching(/^value\.inbund: .*inbound/)]);
    expect(checked.inputs['value']).toBe('{\n  "inbund": []\n}\n');
  });

  test.each(['@policy\n', ''])(
    'beside the first line %j, an equal policy keeps its text if nothing changes',
    (first) => {
      const lines = '{\n  "b": 1,\n  "a": 2\n}\n';
      const olds = { ...given, enabled: true, value: `${first}${lines}` };
      const valueOf = (news: object) =>
        checkFields(tcpEdgeTrafficPolicyModuleFields, olds, { ...olds, ...news }).inputs['value'];
      expect(valueOf({ value: '{"a":2,"b":1}' })).toBe(olds.value);
      // The CLI prints unchanged fields beside a change: this one in full if it could read the text.
      expect(valueOf({ enabled: false })).toBe(`@policy\n${lines}`);
      expect(valueOf({ value: '{"a":3}' })).toBe('@policy\n{\n  "a": 3\n}\n');
      expect(valueOf({ value: UNKNOWN })).toBe(UNKNOWN);
    },
  );
});

describe('a user agent filter module', () => {
  const given = { edgeId: httpsEdgeId, routeId };
  const check = (news: object, olds: object = {}) =>
    checkFields(httpsEdgeRouteUserAgentFilterModuleFields, olds, { ...given, ...news });

  test('ids of edge and route that have changed places are told by their kinds', () => {
    expect(check({ edgeId: routeId, routeId: httpsEdgeId }).failures).toEqual([
      `edgeId: "${routeId}" is an HTTPS edge route id: an HTTPS edge id starts with edghts_`,
      `routeId: "${httpsEdgeId}" is an HTTPS edge id: an HTTPS edge route id starts with edghtsrt_`,
    ]);
  });

  test('the lists are empty unless they are given', () => {
    expect(check({}).inputs).toEqual({ ...given, enabled: true, allow: [], deny: [] });
  });

  test('each bad pattern is named by its place, unknown ones pass', () => {
    const { failures } = check({ deny: ['fine', '(', UNKNOWN, 7], allow: 'curl' });
    expect(failures).toEqual([
      expect.stringMatching(/^allow: must be a list of patterns, not a string/),
      expect.stringMatching(/^deny\[1\]: /),
      expect.stringMatching(/^deny\[3\]: must be a string, not a number/),
    ]);
  });

  test('a pattern that finds the empty string, or that RE2 lacks, is a warning', () => {
    const checked = check({ allow: ['.*', '(?=x)y'] });
    expect(checked.failures).toEqual([]);
    expect(checked.warnings).toEqual([
      expect.stringMatching(/^allow\[0\]: /),
      expect.stringMatching(/^allow\[1\]: /),
    ]);
  });

  test('the same patterns in another order keep the old order', () => {
    const { inputs } = check({ deny: ['b', 'a'] }, { ...given, deny: ['a', 'b'] });
    expect(inputs['deny']).toEqual(['a', 'b']);
  });
});

describe('what the SDK makes of an output that a program uses as a text', () => {
  const late = output('192.0.2.1');
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- the mistake
  const text = `client ${String(late)}`;
  const json = JSON.stringify({ ip: late });
  const python = 'Calling __str__ on an Output[T] is not supported.';
  const policy = { inbound: [{ name: 'scanners', expressions: ['x', text], actions: [{ type: 'deny' }] }] };
  const filter = { edgeId: httpsEdgeId, routeId, deny: ['curl', text] };
  const refusal = (place: string, method: string, way: string): unknown =>
    expect.stringMatching(
      `^${place}: holds "Calling ${method} on an Output …" and not what the output holds: write ${way}`,
    );
  const interpolated = (place: string) =>
    refusal(place, '\\[toString\\]', 'pulumi.interpolate`…\\${output}…` instead of `…\\${output}…`');

  test.each<[table: object, news: object, ...failures: unknown[]]>([
    [ipPolicyRuleFields, { ...rule, cidr: text }, interpolated('cidr')],
    [
      ipPolicyRuleFields,
      { ...rule, description: python, metadata: json },
      refusal('description', '__str__', 'pulumi.Output.format or Output.apply instead of an f-string'),
      refusal('metadata.ip', '\\[toJSON\\]', 'pulumi.jsonStringify instead of JSON.stringify'),
    ],
    ...[JSON.stringify(policy), policy].map((value): [object, object, unknown] => [
      tcpEdgeTrafficPolicyModuleFields,
      { edgeId: tcpEdgeId, value },
      interpolated('value.inbound\\[0\\].expressions\\[1\\]'),
    ]),
    [httpsEdgeRouteUserAgentFilterModuleFields, filter, interpolated('deny\\[1\\]')],
  ])('it is refused with its place and the right way, once: %#', (table, news, ...failures) => {
    expect(failuresOf(table, news)).toEqual(failures);
  });

  test('in a set all places are one failure, and other failures stay', () => {
    const declared = [
      { cidr: '10.0.0.0/8', action: 'deny' },
      { cidr: '192.0.2.0/24', action: 'allow', description: text },
      { cidr: text, action: 'Allow', metadata: json },
    ];
    expect(
      failuresOf(ipPolicyRuleSetFields, { ipPolicyId: policyId, rules: JSON.stringify(declared) }),
    ).toEqual([
      expect.stringMatching(
        /^rules\[1\]\.description: holds .*, and so does \[2\]\.cidr, \[2\]\.metadata\.ip: write pulumi\.interpolate/,
      ),
      'rules[2].action: "Allow" is not an action: did you mean allow?',
    ]);
    const mapped = { [text]: { action: 'allow' } };
    const [first, ...others] = failuresOf(ipPolicyRuleSetFields, { ipPolicyId: policyId, rules: mapped });
    expect(others).toEqual([]);
    expect(first).toContain('write pulumi.interpolate');
  });

  test('what state already holds is a warning, so that ignoreChanges and a destroy are no way into a dead end', () => {
    const live = { ...rule, description: 'Calling [toString] on an [Output<T>] is not supported.' };
    expect(checkRule(live, live)).toEqual({
      inputs: live,
      failures: [],
      warnings: [interpolated('description')],
    });
  });
});
