// Previews that are small to write and long to judge: what somebody would send who wants a review to time out.
import { CORPUS, NO_ASSERTIONS, reviewPreview } from '../../../review/src';
import type { Case, Judgement } from '../../../cli/src/judge/judge-case';
import { judgeHere, judgeThere } from '../../support/judging';
import { pinned, publishing } from './pinned-feeds';
import {
  added,
  agents,
  assertionsOf,
  denyIf,
  filterInputs,
  type MadeResource,
  previewOf,
  previewText,
  rule,
  ruleSet,
  setInputs,
  tcp,
  UNKNOWN,
  within,
} from './preview-builder';
import { reviewed, type Wishes } from './reviewing';

/** A kind of preview that is hard to judge, which grows with the bytes up to about that size of JSON. */
interface Bomb {
  readonly name: string;
  readonly make: (bytes: number) => readonly MadeResource[];
  /** What else is hard of it: the feeds, or the plan that was approved. */
  readonly wishes?: (bytes: number) => Wishes;
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));
const ipv4 = (index: number): string =>
  [1 + ((index >>> 16) % 200), (index >>> 8) & 255, index & 255].join('.');
const network = (index: number): string => `${ipv4(index * 2)}.0/24`;
const hiddenOrNot = (index: number, id: string) => (index % 2 === 0 ? UNKNOWN : id);
const holes = (count: number, block = 2001): string[] =>
  times(count, (index) => `${block}:${(index + 4096).toString(16)}:abcd:1234::${index.toString(16)}/128`);

const traffic = (name: string, before: object[], after: object[], edgeId = 'edgtcp_1'): MadeResource => {
  const side = (rules: object[]) => ({
    edgeId,
    enabled: true,
    value: JSON.stringify({ on_tcp_connect: rules }),
  });
  return tcp(name, { before: side(before), after: side(after) });
};
/** A filter whose patterns become others that differ in their last letter. */
const otherLetter = (name: string, patternsOf: (letter: string) => string[], routeId = 'r'): MadeResource => {
  const side = (letter: string) => ({ ...filterInputs(patternsOf(letter)), routeId });
  return agents(name, { before: side('x'), after: side('y') });
};

/** `? :` whose conditions are `? :` again. */
const nested = (depth: number, innermost: string): string =>
  depth === 0 ? innermost : `((${nested(depth - 1, innermost)}) ? x${depth} : y${depth})`;
/** An edge of which one condition becomes another. */
const changedEdge = (before: string, after: string): MadeResource =>
  traffic('edge', [denyIf(before)], [denyIf(after)]);

/** A set of a wide network with many holes, and with a rule that nobody can read and one that ends. */
const holesAndAnEnd = (bytes: number): MadeResource[] => [
  added('hidden', rule(UNKNOWN)),
  ruleSet('s', {
    after: setInputs([
      '2000::/3 allow',
      '9.9.9.9/32 allow until 2026-06-15T13:00:00Z',
      ...holes(bytes / 240).map((hole) => `${hole} deny`),
    ]),
  }),
];
/** The networks of a feed: what was as many addresses as its lock had is a wide network around them. */
const feedWithHoles = (bytes: number): Wishes => {
  const base = ['2400::/16', ...holes(bytes / 40, 2401)];
  const change = ['2400::/16', '2401::/17', ...holes(bytes / 40, 2402)];
  return {
    feeds: {
      base: pinned({ cdn: { networks: base } }),
      change: pinned({ cdn: { networks: change } }),
      published: publishing({ cdn: base }),
    },
  };
};

const BOMBS: readonly Bomb[] = [
  {
    name: 'nested conditionals',
    make: (bytes) =>
      times(bytes / 2_000, (at) =>
        traffic(`t${at}`, [denyIf(nested(25, 'a'))], [denyIf(nested(25, 'b'))], `edgtcp_${at}`),
      ),
  },
  {
    name: 'a wide traffic document with many conditions',
    make: (bytes) => {
      const wide = times(bytes / 400, (at) => denyIf(within(network(at)), `conn.geo.c${at % 20} == 'x'`));
      return [traffic('t', wide, [...wide, denyIf("conn.geo.d == 'x'", within(network(1)))])];
    },
  },
  {
    name: 'rules of policies that are not known, beside many policies',
    make: (bytes) =>
      times(bytes / 700, (at) => added(`r${at}`, rule(network(at), 'allow', hiddenOrNot(at, `ipp_${at}`)))),
  },
  {
    name: 'filters of routes that are not known, beside many routes',
    make: (bytes) =>
      times(bytes / 1_200, (at) =>
        otherLetter(`f${at}`, (letter) => [`a${at}.*${letter}`], hiddenOrNot(at, `r${at}`)),
      ),
  },
  {
    name: 'patterns of many choices',
    make: (bytes) => [
      otherLetter('f', (letter) => times(bytes / 60, (at) => `(?i)(?:[a-z]?){900}${letter}${at}`)),
    ],
  },
  {
    name: 'many rules and many assertions',
    make: (bytes) => [
      ...times(bytes / 1_400, (at) => added(`r${at}`, rule(network(at), at % 3 === 0 ? 'deny' : 'allow'))),
      assertionsOf('a', {
        after: {
          policies: [{ ipPolicyId: 'ipp_1', mustDeny: times(bytes / 50, (at) => `${ipv4(at)}.7`) }],
        },
      }),
    ],
  },
  {
    name: 'a feed with many holes in what its publisher does not list',
    make: () => [office],
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
];

const office = added('office', rule('8.8.8.0/24'));

const caseOf = (resources: readonly MadeResource[]): Case => ({
  preview: previewText(resources),
  guards: { assertions: NO_ASSERTIONS, base: { assertions: NO_ASSERTIONS } },
  asked: { noNewAccess: false, models: {} },
  ignoresGate: false,
  assumptions: {},
  corpus: CORPUS,
  request: { now: '2026-06-15T12:00:00.000Z' },
  renderings: [{ format: 'json', hasColours: false }],
});

function caseOfBomb({ make, wishes }: Bomb, bytes: number): Case {
  const given = caseOf(make(bytes));
  const { feeds, expected, now = given.request.now } = wishes?.(bytes) ?? {};
  return {
    ...given,
    guards: { ...given.guards, ...(feeds && { feeds }) },
    request: { now, ...(feeds && { feeds }), ...(expected && { expected }) },
  };
}

interface Written {
  readonly verdict: { readonly affectsAccess: boolean };
  readonly findings: readonly { readonly reason: string }[];
}

const written = ({ texts }: Judgement): Written => JSON.parse(texts[0] ?? '') as Written;
const isTooComplex = (judgement: Judgement): boolean =>
  judgement.exitCode === 2 &&
  written(judgement).findings.some(({ reason }) => reason.includes('too complex'));

const slow = BOMBS.filter(({ name }) => name === 'patterns of many choices');

test.each(BOMBS)('$name: not decided, and never without effect, if the time does not suffice', (bomb) => {
  const judgement = judgeThere(caseOfBomb(bomb, 100_000), { seconds: 2 });
  expect(isTooComplex(judgement) || written(judgement).verdict.affectsAccess).toBe(true);
});

test.each(slow)('$name: too complex, as every pattern takes long', (bomb) => {
  expect(isTooComplex(judgeThere(caseOfBomb(bomb, 100_000), { seconds: 2 }))).toBe(true);
});

test.each([
  ['time', { seconds: 0.001 }],
  ['memory', { megabytes: 4 }],
])('without %s, the plainest change is too complex, with exit code 2', (_what, bounds) => {
  expect(isTooComplex(judgeThere(caseOf([office]), bounds))).toBe(true);
});

test('within its bounds, another process judges as this one does', () => {
  const judgement = judgeThere(caseOf([office]));
  expect(judgement.exitCode).toBe(0);
  expect(judgement).toEqual(judgeHere(caseOf([office])));
});

test('what cannot be judged at all is refused, and no verdict', () => {
  expect(() => judgeThere({ ...caseOf([office]), preview: '[]' })).toThrow('not the JSON of a preview');
  expect(() => judgeThere({ ...caseOf([office]), guards: undefined as never })).toThrow(
    'The review was ended',
  );
});

const NESTED = 200_000;
const urn = 'urn:pulumi:prod::site::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::office';
const bombedState = (value: string): string =>
  `{"version":3,"deployment":{"resources":[{"urn":"${urn}","type":"pulumi-nodejs:dynamic/edge-policy:IpPolicyRule","custom":true,"id":"ipr_1","inputs":{"cidr":${value}}}]}}`;

test('a state that is nested too deep is not decidable, and one that is none is refused', () => {
  const state = bombedState(`${'['.repeat(NESTED)}${']'.repeat(NESTED)}`);
  expect(isTooComplex(judgeThere({ ...caseOf([office]), state }))).toBe(true);
  expect(isTooComplex(judgeHere({ ...caseOf([office]), state }))).toBe(true);
  expect(() => judgeThere({ ...caseOf([office]), state: '[]' })).toThrow('This is not a state');
});

test('a stack overflow is too complex', () => {
  const overflow = (depth: number): never => overflow(depth + 1);
  const report = reviewPreview(previewOf(office), () => overflow(0));
  expect(report.verdict.outcome).toBe('not-decidable');
  expect(JSON.stringify(report.findings)).toContain('too complex');
});

test.each([25, 60])('%d nested `? :` are not decided, and not without effect', (depth) => {
  const report = reviewed(previewOf(changedEdge(nested(depth, 'a'), nested(depth, 'b'))));
  expect(report.verdict.affectsAccess).toBe(true);
  expect(report.findings.some(({ id, isNew }) => id === 'access-undecided' && isNew)).toBe(true);
});

test('one that stays as it is changes nothing', () => {
  const report = reviewed(previewOf(changedEdge(nested(40, 'conn.geo.a'), nested(40, 'conn.geo.a'))));
  expect(report.verdict.affectsAccess).toBe(false);
});
