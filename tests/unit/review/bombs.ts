// Previews that are small to write and long to judge, each in a size of its own: what somebody would send who wants a
// review to time out. Each kind grows with `bytes`, up to about that size of JSON.
import { pinned, publishing } from './pinned-feeds';
import { type MadeResource, previewOf, rule } from './preview-builder';
import { reviewed, type Wishes } from './reviewing';

/** A kind of preview that is hard to judge, and how to make one of a size. */
export interface Bomb {
  readonly name: string;
  readonly make: (bytes: number) => readonly MadeResource[];
  /** What else is hard of it: the feeds, or the plan that was approved. */
  readonly wishes?: (bytes: number) => Wishes;
}

const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));

const ipv4 = (index: number): string =>
  [1 + ((index >>> 16) % 200), (index >>> 8) & 255, index & 255].join('.');
const network = (index: number): string => `${ipv4(index * 2)}.0/24`;
const within = (index: number): string => `inCidrRange(conn.client_ip, '${network(index)}')`;

const edge = (value: object, edgeId = 'edgtcp_1') => ({
  edgeId,
  enabled: true,
  value: JSON.stringify(value),
});
const deny = (...expressions: string[]) => ({ expressions, actions: [{ type: 'deny' }] });
const traffic = (name: string, before: object[], after: object[], edgeId?: string): MadeResource => ({
  type: 'TcpEdgeTrafficPolicyModule',
  name,
  before: edge({ on_tcp_connect: before }, edgeId),
  after: edge({ on_tcp_connect: after }, edgeId),
});

const filter = (allow: string[], deny: string[], routeId = 'r') => ({
  edgeId: 'e',
  routeId,
  enabled: true,
  allow,
  deny,
});
const route = (name: string, before: object, after: object): MadeResource => ({
  type: 'HttpsEdgeRouteUserAgentFilterModule',
  name,
  before: { ...before },
  after: { ...after },
});

/** `? :` whose conditions are `? :` again. */
export const nested = (depth: number, innermost: string): string =>
  depth === 0 ? innermost : `((${nested(depth - 1, innermost)}) ? x${depth} : y${depth})`;

/** Pairs of conditions that write out to a few thousand parts each, just below what is read of one expression. */
const pairs = (count: number, salt: string): string =>
  times(count, (index) => `(conn.geo.a${index}${salt} == 'x' || ${within(index * 97)})`).join(' && ');

/** An edge of which one condition becomes another. */
export const changedEdge = (before: string, after: string): MadeResource[] => [
  traffic('edge', [deny(before)], [deny(after)]),
];

/** A set of a wide network with many holes, and with a rule that nobody can read and one that ends. */
const holesAndAnEnd = (bytes: number): MadeResource[] => [
  { type: 'IpPolicyRule', name: 'hidden', after: rule(UNKNOWN) },
  {
    type: 'IpPolicyRuleSet',
    name: 's',
    after: {
      ipPolicyId: 'ipp_1',
      exclusive: false,
      rules: ['@rules', '2000::/3 allow', '9.9.9.9/32 allow until 2026-06-15T13:00:00Z', ...holes(bytes)]
        .concat('')
        .join('\n'),
    },
  },
];
const holes = (bytes: number): string[] =>
  times(
    bytes / 240,
    (index) => `2001:${(index + 4096).toString(16)}:abcd:1234::${index.toString(16)}/128 deny`,
  );

/** The networks of a feed: what was as many addresses as its lock had is a wide network around them. */
const feedWithHoles = (bytes: number): Wishes => {
  const within = (network: string) =>
    times(
      bytes / 40,
      (index) => `${network}:${(index + 4096).toString(16)}:abcd:1234::${(index + 1).toString(16)}/128`,
    );
  const base = ['2400::/16', ...within('2401')];
  const change = ['2400::/16', '2401::/17', ...within('2402')];
  return {
    feeds: {
      base: pinned({ cdn: { networks: base } }),
      change: pinned({ cdn: { networks: change } }),
      published: publishing({ cdn: base }),
    },
  };
};

export const BOMBS: readonly Bomb[] = [
  {
    name: 'nested conditionals',
    make: (bytes) =>
      times(bytes / 2_000, (index) =>
        traffic(`t${index}`, [deny(nested(25, 'a'))], [deny(nested(25, 'b'))], `edgtcp_${index}`),
      ),
  },
  {
    name: 'conditionals just below the limit of one expression',
    make: (bytes) => [
      traffic(
        't',
        times(bytes / 300, (index) => deny(nested(11, `a${index}`))),
        times(bytes / 300, (index) => deny(nested(11, `b${index}`))),
      ),
    ],
  },
  {
    name: 'many conditions on many edges',
    make: (bytes) =>
      times(bytes / 4_000, (index) =>
        traffic(`t${index}`, [deny(pairs(20, ''))], [deny(pairs(20, 'z'))], `edgtcp_${index}`),
      ),
  },
  {
    name: 'a wide traffic document with many conditions',
    make: (bytes) => {
      const wide = times(bytes / 400, (index) => deny(within(index), `conn.geo.c${index % 20} == 'x'`));
      return [traffic('t', wide, [...wide, deny("conn.geo.d == 'x'", within(1))])];
    },
  },
  {
    name: 'wide rules that admit for good',
    make: (bytes) => {
      const list = (salt: string) =>
        times(bytes / 500, (index) => ({
          expressions: [within(index), `conn.geo.c${index % 12} == '${salt}'`],
          actions: [{ type: `unknown${index % 9}` }],
        }));
      return [traffic('t', list('a'), list('b'))];
    },
  },
  {
    name: 'documents that fight for one edge',
    make: (bytes) =>
      times(bytes / 1_000, (index) =>
        traffic(`t${index}`, [deny(within(index))], [deny(within(index + 1))], 'edgtcp_1'),
      ),
  },
  {
    name: 'documents of edges that are not known, beside many edges',
    make: (bytes) =>
      times(bytes / 1_000, (index) =>
        traffic(
          `t${index}`,
          [deny(within(index))],
          [deny(within(index + 1))],
          index % 2 === 0 ? UNKNOWN : `edgtcp_${index}`,
        ),
      ),
  },
  {
    name: 'rules of policies that are not known, beside many policies',
    make: (bytes) =>
      times(bytes / 700, (index) => ({
        type: 'IpPolicyRule' as const,
        name: `r${index}`,
        after: rule(network(index), 'allow', index % 2 === 0 ? UNKNOWN : `ipp_${index}`),
      })),
  },
  {
    name: 'exclusive sets that fight for one policy',
    make: (bytes) =>
      times(bytes / 800, (index) => ({
        type: 'IpPolicyRuleSet' as const,
        name: `s${index}`,
        after: { ipPolicyId: 'ipp_1', exclusive: true, rules: `@rules\n${network(index)} allow\n` },
      })),
  },
  {
    name: 'many routes that are hard',
    make: (bytes) =>
      times(bytes / 1_400, (index) =>
        route(
          `f${index}`,
          filter([], ['a.{12}b', 'b.{11}c', `c.{10}${index}d`], `r${index}`),
          filter([], ['a.{12}[bx]', 'b.{11}[cx]', `c.{10}${index}[dx]`], `r${index}`),
        ),
      ),
  },
  {
    name: 'filters of routes that are not known, beside many routes',
    make: (bytes) =>
      times(bytes / 1_200, (index) =>
        route(
          `f${index}`,
          filter([], [`a${index}.*b`], index % 2 === 0 ? UNKNOWN : `r${index}`),
          filter([], [`a${index}.*c`], index % 2 === 0 ? UNKNOWN : `r${index}`),
        ),
      ),
  },
  {
    name: 'many patterns on one route',
    make: (bytes) => [
      route(
        'f',
        filter(
          [],
          times(bytes / 60, (index) => `bot${index}.*x`),
        ),
        filter(
          [],
          times(bytes / 60, (index) => `bot${index}.*y`),
        ),
      ),
    ],
  },
  {
    name: 'many patterns on many routes',
    make: (bytes) =>
      times(bytes / 20_000, (index) =>
        route(
          `f${index}`,
          filter(
            [],
            times(300, (at) => `bot${at}.*x`),
            `r${index}`,
          ),
          filter(
            [],
            times(300, (at) => `bot${at}.*y`),
            `r${index}`,
          ),
        ),
      ),
  },
  {
    name: 'patterns that compile to much',
    make: (bytes) => [
      route(
        'f',
        filter(
          [],
          times(bytes / 8_000, (index) => `${index}${'.{1000}'.repeat(500)}x`),
        ),
        filter(
          [],
          times(bytes / 8_000, (index) => `${index}${'.{1000}'.repeat(500)}y`),
        ),
      ),
    ],
  },
  {
    name: 'patterns of many choices',
    make: (bytes) => {
      const patterns = (salt: string) => times(bytes / 60, (index) => `(?i)(?:[a-z]?){900}${salt}${index}`);
      return [route('f', filter([], patterns('x')), filter([], patterns('y')))];
    },
  },
  {
    name: 'patterns nested deep',
    make: (bytes) => [
      route(
        'f',
        filter(
          [],
          times(bytes / 4_000, (index) => `${'('.repeat(900)}${index}${')*'.repeat(900)}`),
        ),
        filter([], []),
      ),
    ],
  },
  {
    name: 'many rules and many assertions',
    make: (bytes) => [
      ...times(bytes / 1_400, (index) => ({
        type: 'IpPolicyRule' as const,
        name: `r${index}`,
        after: rule(network(index), index % 3 === 0 ? 'deny' : 'allow'),
      })),
      {
        type: 'AccessAssertions',
        name: 'a',
        after: {
          policies: [{ ipPolicyId: 'ipp_1', mustDeny: times(bytes / 50, (index) => `${ipv4(index)}.7`) }],
        },
      },
    ],
  },
  {
    name: 'many clients of an assertion and many patterns',
    make: (bytes) => [
      route(
        'f',
        filter([], []),
        filter(
          [],
          times(bytes / 60, (index) => `bot${index}.*y`),
        ),
      ),
      {
        type: 'AccessAssertions',
        name: 'a',
        after: {
          policies: [],
          userAgentFilters: [
            { edgeId: 'e', routeId: 'r', mustAllow: times(bytes / 60, (index) => `Bot/${index}`) },
          ],
        },
      },
    ],
  },
  {
    name: 'many rules change at once',
    make: (bytes) =>
      times(bytes / 1_300, (index) => ({
        type: 'IpPolicyRule' as const,
        name: `r${index}`,
        before: rule(network(index), index % 2 === 0 ? 'deny' : 'allow'),
        after: rule(network(index), index % 2 === 0 ? 'allow' : 'deny'),
      })),
  },
  {
    name: 'many policies',
    make: (bytes) =>
      times(bytes / 700, (index) => ({
        type: 'IpPolicyRule' as const,
        name: `r${index}`,
        after: rule('0.0.0.0/0', 'allow', `ipp_${index}`),
      })),
  },
  {
    name: 'one resource with many steps',
    make: (bytes) =>
      times(bytes / 1_000, (index) => ({
        type: 'IpPolicyRule' as const,
        name: 'r',
        op: index % 2 === 0 ? 'create-replacement' : 'delete-replaced',
        before: rule(network(index)),
        after: rule(network(index + 1)),
        state: { id: `id-${index}` },
      })),
  },
  {
    name: 'networks of IPv6 with many holes',
    make: (bytes) => [
      {
        type: 'IpPolicyRuleSet',
        name: 's',
        before: { ipPolicyId: 'ipp_1', exclusive: false, rules: '@rules\n2000::/3 allow\n' },
        after: {
          ipPolicyId: 'ipp_1',
          exclusive: false,
          rules: ['@rules', '2000::/3 allow']
            .concat(
              times(
                bytes / 40,
                (index) => `2001:${(index + 4096).toString(16)}:abcd:1234::${index.toString(16)}/128 deny`,
              ),
            )
            .concat('')
            .join('\n'),
        },
      },
    ],
  },
  {
    name: 'a feed with many holes in what its publisher does not list',
    make: () => [{ type: 'IpPolicyRule', name: 'r', after: rule('8.8.8.0/24') }],
    wishes: feedWithHoles,
  },
  {
    name: 'an approved plan with many holes in its bounds, of which a rule has ended',
    make: holesAndAnEnd,
    wishes: (bytes) => ({
      expected: reviewed(previewOf(...holesAndAnEnd(bytes))).plan.plan,
      now: '2026-06-15T14:00:00.000Z',
    }),
  },
  {
    name: 'a list of one long expression',
    make: (bytes) => [
      traffic(
        't',
        [deny("'x' == 'x'")],
        times(bytes / 20_000, (at) => deny(times(600, (index) => `a.b${at} == '${index}'`).join(' || '))),
      ),
    ],
  },
];
