// Previews that are small to write and long to judge, each in a size of its own: what somebody would send who wants a
// review to time out. Each kind grows with `bytes`, up to about that size of JSON.
import { pinned, publishing } from './pinned-feeds';
import {
  type MadeResource,
  previewOf,
  rule,
  tcp,
  agents,
  policyRule,
  ruleSet,
  assertionsOf,
  setInputs,
} from './preview-builder';
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

const deny = (...expressions: string[]) => ({ expressions, actions: [{ type: 'deny' }] });
const traffic = (name: string, before: object[], after: object[], edgeId = 'edgtcp_1'): MadeResource => {
  const side = (rules: object[]) => ({
    ...{ edgeId, enabled: true },
    value: JSON.stringify({ on_tcp_connect: rules }),
  });
  return tcp(name, { before: side(before), after: side(after) });
};

/** A filter whose deny list becomes another one. */
const route = (name: string, before: string[], after: string[], routeId = 'r'): MadeResource => {
  const side = (deny: string[]) => ({ edgeId: 'e', routeId, enabled: true, allow: [], deny });
  return agents(name, { before: side(before), after: side(after) });
};
/** The same, with patterns that differ in their last letter. */
const otherLetter = (name: string, patternsOf: (letter: string) => string[], routeId?: string) =>
  route(name, patternsOf('x'), patternsOf('y'), routeId);
const bots = (count: number) => (letter: string) => times(count, (index) => `bot${index}.*${letter}`);
const hiddenOrNot = (index: number, id: string) => (index % 2 === 0 ? UNKNOWN : id);
const holes = (count: number): string[] =>
  times(count, (index) => `2001:${(index + 4096).toString(16)}:abcd:1234::${index.toString(16)}/128 deny`);

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
  policyRule('hidden', { after: rule(UNKNOWN) }),
  ruleSet('s', {
    after: setInputs([
      '2000::/3 allow',
      '9.9.9.9/32 allow until 2026-06-15T13:00:00Z',
      ...holes(bytes / 240),
    ]),
  }),
];

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
    make: (bytes) => {
      const list = (salt: string) => times(bytes / 300, (index) => deny(nested(11, `${salt}${index}`)));
      return [traffic('t', list('a'), list('b'))];
    },
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
      times(bytes / 1_000, (index) => traffic(`t${index}`, [deny(within(index))], [deny(within(index + 1))])),
  },
  {
    name: 'documents of edges that are not known, beside many edges',
    make: (bytes) =>
      times(bytes / 1_000, (index) =>
        traffic(
          `t${index}`,
          [deny(within(index))],
          [deny(within(index + 1))],
          hiddenOrNot(index, `edgtcp_${index}`),
        ),
      ),
  },
  {
    name: 'rules of policies that are not known, beside many policies',
    make: (bytes) =>
      times(bytes / 700, (index) =>
        policyRule(`r${index}`, { after: rule(network(index), 'allow', hiddenOrNot(index, `ipp_${index}`)) }),
      ),
  },
  {
    name: 'exclusive sets that fight for one policy',
    make: (bytes) =>
      times(bytes / 800, (index) =>
        ruleSet(`s${index}`, { after: setInputs([`${network(index)} allow`], true) }),
      ),
  },
  {
    name: 'many routes that are hard',
    make: (bytes) =>
      times(bytes / 1_400, (index) =>
        route(
          `f${index}`,
          ['a.{12}b', 'b.{11}c', `c.{10}${index}d`],
          ['a.{12}[bx]', 'b.{11}[cx]', `c.{10}${index}[dx]`],
          `r${index}`,
        ),
      ),
  },
  {
    name: 'filters of routes that are not known, beside many routes',
    make: (bytes) =>
      times(bytes / 1_200, (index) =>
        otherLetter(`f${index}`, (letter) => [`a${index}.*${letter}`], hiddenOrNot(index, `r${index}`)),
      ),
  },
  { name: 'many patterns on one route', make: (bytes) => [otherLetter('f', bots(bytes / 60))] },
  {
    name: 'many patterns on many routes',
    make: (bytes) => times(bytes / 20_000, (index) => otherLetter(`f${index}`, bots(300), `r${index}`)),
  },
  {
    name: 'patterns that compile to much',
    make: (bytes) => [
      otherLetter('f', (letter) =>
        times(bytes / 8_000, (index) => `${index}${'.{1000}'.repeat(500)}${letter}`),
      ),
    ],
  },
  {
    name: 'patterns of many choices',
    make: (bytes) => [
      otherLetter('f', (letter) => times(bytes / 60, (index) => `(?i)(?:[a-z]?){900}${letter}${index}`)),
    ],
  },
  {
    name: 'patterns nested deep',
    make: (bytes) => {
      const deep = (index: number) => `${'('.repeat(900)}${index}${')*'.repeat(900)}`;
      return [route('f', times(bytes / 4_000, deep), [])];
    },
  },
  {
    name: 'many rules and many assertions',
    make: (bytes) => [
      ...times(bytes / 1_400, (index) =>
        policyRule(`r${index}`, { after: rule(network(index), index % 3 === 0 ? 'deny' : 'allow') }),
      ),
      assertionsOf('a', {
        after: {
          policies: [{ ipPolicyId: 'ipp_1', mustDeny: times(bytes / 50, (index) => `${ipv4(index)}.7`) }],
        },
      }),
    ],
  },
  {
    name: 'many clients of an assertion and many patterns',
    make: (bytes) => [
      route('f', [], bots(bytes / 60)('y')),
      assertionsOf('a', {
        after: {
          policies: [],
          userAgentFilters: [
            { edgeId: 'e', routeId: 'r', mustAllow: times(bytes / 60, (index) => `Bot/${index}`) },
          ],
        },
      }),
    ],
  },
  {
    name: 'many rules change at once',
    make: (bytes) =>
      times(bytes / 1_300, (index) =>
        policyRule(`r${index}`, {
          before: rule(network(index), index % 2 === 0 ? 'deny' : 'allow'),
          after: rule(network(index), index % 2 === 0 ? 'allow' : 'deny'),
        }),
      ),
  },
  {
    name: 'many policies',
    make: (bytes) =>
      times(bytes / 700, (index) =>
        policyRule(`r${index}`, { after: rule('0.0.0.0/0', 'allow', `ipp_${index}`) }),
      ),
  },
  {
    name: 'one resource with many steps',
    make: (bytes) =>
      times(bytes / 1_000, (index) =>
        policyRule('r', {
          op: index % 2 === 0 ? 'create-replacement' : 'delete-replaced',
          before: rule(network(index)),
          after: rule(network(index + 1)),
          state: { id: `id-${index}` },
        }),
      ),
  },
  {
    name: 'networks of IPv6 with many holes',
    make: (bytes) => [
      ruleSet('s', {
        before: setInputs(['2000::/3 allow']),
        after: setInputs(['2000::/3 allow', ...holes(bytes / 40)]),
      }),
    ],
  },
  {
    name: 'a feed with many holes in what its publisher does not list',
    make: () => [policyRule('r', { after: rule('8.8.8.0/24') })],
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
