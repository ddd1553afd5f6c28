import fc from 'fast-check';
import {
  decodeIpPolicyRule,
  decodeIpPolicyRuleList,
  decodeModule,
  orNone,
  ruleLike,
  sameRule,
} from '../../../provider/src/api/decode';
import { httpsEdgeRouteUserAgentFilterModuleFields } from '../../../provider/src/resources/https-edge-route-user-agent-filter-module';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { isSafeId } from '../../../provider/src/values/decoding';

const rule = {
  id: 'ipr_1',
  uri: 'https://api.example.com/ip_policy_rules/ipr_1',
  created_at: '2030-01-01T00:00:00Z',
  cidr: '10.0.0.0/8',
  ip_policy: { id: 'ipp_1', uri: 'https://api.example.com/ip_policies/ipp_1' },
  action: 'allow',
};

const decodedRule = {
  id: 'ipr_1',
  uri: 'https://api.example.com/ip_policy_rules/ipr_1',
  createdAt: '2030-01-01T00:00:00Z',
  cidr: '10.0.0.0/8',
  ipPolicyId: 'ipp_1',
  action: 'allow',
};

test('a rule decodes to its fields and nothing else', () => {
  const answer = JSON.parse(
    JSON.stringify({ ...rule, description: 'd', metadata: 'm', more: 1, __provider: 'x' }).replace(
      '"more"',
      '"__proto__":{"polluted":true},"more"',
    ),
  ) as unknown;
  const decoded = decodeIpPolicyRule(answer);
  expect(decoded).toEqual({ ...decodedRule, description: 'd', metadata: 'm' });
  expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
});

test.each([
  ['absent', {}],
  ['null', { description: null, metadata: null }],
  ['empty', { description: '', metadata: '' }],
])('a text that is %s decodes to absent', (_how, texts) => {
  expect(Object.keys(decodeIpPolicyRule({ ...rule, ...texts })).sort()).toEqual(
    Object.keys(decodedRule).sort(),
  );
});

test.each([
  [{ id: undefined }, 'body.id must be an identifier of letters, digits, ".", "_", "~" and "-"'],
  [{ created_at: 1 }, 'body.created_at must be a string'],
  [{ uri: null }, 'body.uri must be a string'],
  [{ description: 1 }, 'body.description must be a string'],
  [{ cidr: ['x'] }, 'body.cidr must be a string'],
  [{ ip_policy: 'ipp_1' }, 'body.ip_policy must be an object, not a string'],
  [{ ip_policy: { uri: 'x' } }, 'body.ip_policy.id must be an identifier'],
  [{ ip_policy: { id: 'x' } }, 'body.ip_policy.uri must be a string'],
  [{ action: 'block' }, 'body.action must be one of allow, deny'],
])('a wrong field is an error that names it: %j', (change, message) => {
  expect(() => decodeIpPolicyRule({ ...rule, ...change })).toThrow(message);
});

test.each([[null], [undefined], [[]], ['x'], [5]])('%j is no rule', (value) => {
  expect(() => decodeIpPolicyRule(value)).toThrow('body must be an object, not');
});

test('an error shows no content of the answer', () => {
  const texts = { id: 'canary a', cidr: 'canary', description: 'canary', action: 'canary' };
  for (const key of Object.keys(texts)) {
    const decode = (): unknown => decodeIpPolicyRule({ ...rule, ...texts, [key]: ['canary'] });
    expect(decode).toThrow(' must be ');
    expect(decode).not.toThrow('canary');
  }
});

test.each(['.', '..', 'a/b', 'a%2fb', '?x', 'a\r\nb', 'ü', 'x'.repeat(129), 'a\n'])(
  'the identifier %j is refused, given or returned',
  (id) => {
    expect(isSafeId(id)).toBe(false);
    expect(() => decodeIpPolicyRule({ ...rule, id })).toThrow('body.id must be an identifier');
  },
);

test('an identifier is a string of 1 to 128 characters that no URL escapes', () => {
  for (const id of ['x'.repeat(128), 'a-Z_09', 'ipr_a.b~', '...']) expect(isSafeId(id)).toBe(true);
  for (const id of [7, ['a']]) expect(isSafeId(id)).toBe(false);
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (isSafeId(text)) expect(encodeURIComponent(text)).toBe(text);
    }),
  );
});

test('a row of a list that cannot be read is one row, with the policy that it names', () => {
  const rows = [{ ...rule, id: 'a/b' }, rule, 'x', { ...rule, ip_policy: { id: '..' } }];
  const { rules, unreadable } = decodeIpPolicyRuleList({
    ip_policy_rules: rows,
    uri: '',
    next_page_uri: null,
  });
  expect(rules).toEqual([decodeIpPolicyRule(rule)]);
  expect(unreadable).toEqual([
    {
      problem: expect.stringMatching(/^body\.ip_policy_rules\[0\]\.id must be/) as string,
      ipPolicyId: decodeIpPolicyRule(rule).ipPolicyId,
    },
    { problem: expect.stringMatching(/^body\.ip_policy_rules\[2\] must be/) as string },
    { problem: expect.stringMatching(/^body\.ip_policy_rules\[3\]\.ip_policy\.id must be/) as string },
  ]);
});

test.each([
  [{ next_page_uri: undefined }, 'body.next_page_uri must be a string'],
  [{ uri: 5 }, 'body.uri must be a string'],
  [{ ip_policy_rules: {} }, 'body.ip_policy_rules must be a list'],
])('a list with %j is an error that names the field', (change, message) => {
  const list = { ip_policy_rules: [], uri: 'x', next_page_uri: null };
  expect(() => decodeIpPolicyRuleList({ ...list, ...change })).toThrow(message);
});

const modules = {
  'a traffic policy': [tcpEdgeTrafficPolicyModuleFields, { enabled: false, value: '{"inbound":[]}' }],
  'a user agent filter': [
    httpsEdgeRouteUserAgentFilterModuleFields,
    { enabled: true, allow: ['a'], deny: [] },
  ],
} as const;

test.each(Object.entries(modules))('%s decodes to its fields', (_what, [fields, module]) => {
  expect(decodeModule(fields, { ...module, more: 1 })).toEqual(module);
});

test.each<[keyof typeof modules, object, string]>([
  ['a traffic policy', { enabled: undefined }, 'body.enabled must be true or false'],
  ['a traffic policy', { enabled: 'true' }, 'body.enabled must be'],
  ['a traffic policy', { value: {} }, 'body.value must be a string'],
  ['a user agent filter', { allow: 'a' }, 'body.allow must be a list'],
  ['a user agent filter', { deny: ['a', 5] }, 'body.deny[1] must be a string'],
])('%s with %j is an error that names the field', (what, change, message) => {
  const [fields, module] = modules[what];
  expect(() => decodeModule(fields, { ...module, ...change })).toThrow(message);
});

test('null and {} are no module, and anything else must be one', () => {
  const decode = orNone((value) => decodeModule(tcpEdgeTrafficPolicyModuleFields, value));
  expect(decode(null)).toBeUndefined();
  expect(decode({})).toBeUndefined();
  expect(decode({ enabled: true, value: '' })).toEqual({ enabled: true, value: '' });
  for (const value of [[], '', 'x', 0, false, undefined, { more: 1 }]) {
    expect(() => decode(value)).toThrow(' must be ');
  }
});

test('an answer about another rule is an error', () => {
  expect(sameRule({ id: 'ipr_1', ipPolicyId: 'ipp_1' })(rule).id).toBe('ipr_1');
  expect(() => sameRule({ id: 'ipr_2', ipPolicyId: 'ipp_1' })(rule)).toThrow('another rule');
  expect(() => sameRule({ id: 'ipr_1', ipPolicyId: 'ipp_2' })(rule)).toThrow('a rule of another policy');
  const sent = { cidr: '10.0.0.0/8', ipPolicyId: 'ipp_1', action: 'allow' } as const;
  expect(ruleLike(sent)(rule).id).toBe('ipr_1');
  expect(ruleLike({ ...sent, cidr: '10.0.0.0/08' })(rule).id).toBe('ipr_1');
  expect(() => ruleLike({ ...sent, ipPolicyId: 'ipp_2' })(rule)).toThrow('another rule');
  expect(() => ruleLike({ ...sent, action: 'deny' })(rule)).toThrow('another rule');
});
