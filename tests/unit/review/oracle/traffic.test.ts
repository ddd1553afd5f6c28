import fc from 'fast-check';
import { type AddressAccess, isProvedUnchanged } from '../../../../review/src/access/subject-access';
import { ADDRESSES, network, wrongAt } from './addresses';
import { type Connection, isAdmitted } from './traffic-oracle';
import { DEFAULT_ASSUMPTIONS } from '../../../../review/src/findings/assumptions';
import { edgeAccess } from '../../../../review/src/traffic-policy/edge-access';
import { stackOf, tcp } from '../preview-builder';

/** Who gets in through an edge whose document changes. */
function accessOf(before: string, after: string): AddressAccess {
  const module = (value: string) => ({ edgeId: 'edgtcp_1', enabled: true, value });
  const stack = stackOf(tcp('tcp', { before: module(before), after: module(after) }));
  const [access] = edgeAccess(stack, DEFAULT_ASSUMPTIONS);
  if (!access) throw new Error('the edge is missing');
  return access;
}

/** What a country can be for the expressions below; undefined makes them fail. */
const COUNTRIES = ['DE', 'FR', 'US', undefined];

const address = fc.constantFrom(...ADDRESSES);
const quoted = (text: string) => `'${text}'`;

const leaf = fc.oneof(
  { weight: 4, arbitrary: network.map((text) => `inCidrRange(conn.client_ip, '${text}')`) },
  fc
    .array(network, { minLength: 1, maxLength: 3 })
    .map((texts) => `inCidrRanges(conn.client_ip, [${texts.map(quoted).join(', ')}])`),
  address.map((text) => `conn.client_ip == '${text}'`),
  address.map((text) => `'${text}' != conn.client_ip`),
  fc.array(address, { maxLength: 3 }).map((texts) => `conn.client_ip in [${texts.map(quoted).join(', ')}]`),
  fc.constantFrom('true', 'false', "'a' == 'a'", "'a' != 'a'", "'b' in ['a', 'b']"),
  fc.constantFrom('DE', 'FR').map((country) => `conn.geo.country_code == '${country}'`),
  fc.constantFrom("conn.geo.country_code in ['DE', 'US']", "conn.geo.country_code != 'FR'"),
  fc.constant("conn.geo.country_code.startsWith('D')"),
);

/** Expressions that the review understands, and some about the country that it does not. */
const expression: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('any').map((one) => `!(${one})`),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `(${one} && ${other})`),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => `(${one} || ${other})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([one, two, three]) => `(${one} ? ${two} : ${three})`),
  ),
})).any;

const action = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ type: 'deny' }) },
  fc.constant({ type: 'log' }),
  // Nobody knows what it does.
  fc.constant({ type: 'forward' }),
  fc
    .record({
      enforce: fc.constantFrom(true, false, undefined),
      allow: fc.array(network, { minLength: 1, maxLength: 2 }),
      deny: fc.array(network, { maxLength: 2 }),
    })
    .map((config) => ({ type: 'restrict-ips', config })),
);

interface MadeRule {
  readonly name: string;
  readonly expressions: readonly string[];
  readonly actions: readonly object[];
}

const rule: fc.Arbitrary<MadeRule> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  expressions: fc.array(expression, { maxLength: 2 }),
  actions: fc.array(action, { minLength: 1, maxLength: 2 }),
});

const phase = fc.constantFrom('inbound', 'inbound', 'inbound', 'on_tcp_connect', 'outbound');

/** Rules in the phases of a document. */
const document: fc.Arbitrary<string> = fc.array(fc.tuple(phase, rule), { maxLength: 4 }).map((rules) => {
  const phases: Record<string, MadeRule[]> = {};
  for (const [name, made] of rules) (phases[name] ??= []).push(made);
  return JSON.stringify(phases);
});

const PHASES = ['inbound', 'on_tcp_connect'];

/** Everything about a connection besides its address that the documents ask for. */
function circumstancesOf(documents: string): Omit<Connection, 'ip'>[] {
  const countries = documents.includes('conn.geo') ? COUNTRIES : ['DE'];
  if (!documents.includes('forward')) return countries.map((country) => ({ country }));
  return countries.flatMap((country) =>
    (['refuses', 'admits', 'goes on'] as const).flatMap((forward) =>
      [PHASES, PHASES.toReversed()].map((phases) => ({ country, forward, phases })),
    ),
  );
}

/** What is wrong with the bounds of a change, address by address. */
function wrongOf(before: string, after: string): string[] {
  const access = accessOf(before, after);
  const circumstances = circumstancesOf(before + after);
  const isExact = circumstances.length === 1;
  return ADDRESSES.flatMap((ip) => {
    const admits = (text: string, other: Omit<Connection, 'ip'>) => isAdmitted(text, true, { ip, ...other });
    const outcomes = circumstances.map((other) => [admits(before, other), admits(after, other)] as const);
    return wrongAt(ip, access, { outcomes, isExact });
  });
}

/** A change of a word, which may move some connection. */
const mutation = fc.constantFrom<((text: string) => string)[]>(
  (text) => text.replace('"type":"deny"', '"type":"log"'),
  (text) => text.replace(/\/2[89]'/, "/32'"),
  (text) => text.replace('&&', '||'),
  (text) => text.replace('!(', '('),
  (text) => text.replace("'DE'", "'AT'"),
  (text) => text.replace('inbound', 'inbuond'),
  (text) => text.replace('"enforce":true', '"enforce":false'),
);

test.each<[string, fc.Arbitrary<readonly [string, string]>, numRuns: number]>([
  ['another one', fc.tuple(document, document), 600],
  ['a mutation', fc.tuple(document, mutation).map(([text, mutate]) => [text, mutate(text)]), 500],
])('random documents, and %s: single connections say what is gained and lost', (_after, pairs, numRuns) => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(wrongOf(before, after)).toEqual([]);
    }),
    { numRuns },
  );
});

const inbound = (...rules: readonly MadeRule[]): string => JSON.stringify({ inbound: rules });
const deny = (...expressions: readonly string[]): MadeRule => ({
  name: 'made',
  expressions,
  actions: [{ type: 'deny' }],
});
const rules = fc.array(rule, { maxLength: 3 });
/** Refusals have no order and do the same in each phase; what may let somebody in for good need not. */
const refusals = rules.map((list) => list.filter((made) => !JSON.stringify(made).includes('forward')));

test.each(
  Object.entries<fc.Arbitrary<readonly [string, string]>>({
    'rules in reverse': refusals.map((list) => [inbound(...list), inbound(...[...list].reverse())]),
    'other names and a line in the log': rules.map((list) => [
      inbound(...list),
      inbound(
        deny('false'),
        ...list.map((made, index) => ({
          ...made,
          name: `rule ${index}`,
          actions: [{ type: 'log' }, ...made.actions],
        })),
      ),
    ]),
    'a disjunction as two rules': fc
      .tuple(expression, expression, refusals)
      .map(([a, b, list]) => [inbound(...list, deny(`${a} || ${b}`)), inbound(deny(b), deny(a), ...list)]),
    'a conjunction as two expressions': fc
      .tuple(expression, expression)
      .map(([a, b]) => [inbound(deny(`${a} && ${b}`)), inbound(deny(b, a))]),
    'De Morgan': fc
      .tuple(expression, expression)
      .map(([a, b]) => [inbound(deny(`!(${a} || ${b})`)), inbound(deny(`!(${a}) && !(${b})`))]),
    'factoring out': fc
      .tuple(expression, expression, expression)
      .map(([a, b, c]) => [
        inbound(deny(`(${a}) && (${b}) || (${a}) && (${c})`)),
        inbound(deny(`(${a}) && ((${c}) || (${b}))`)),
      ]),
    'another phase': refusals.map((list) => [
      inbound(...list),
      JSON.stringify({ on_tcp_connect: list, outbound: [deny()] }),
    ]),
    'a rule behind one that denies all': fc
      .tuple(rules, rule)
      .map(([list, last]) => [inbound(...list, deny()), inbound(...list, deny(), last)]),
  }),
)('a rewrite that keeps its meaning is proved to change nothing: %s', (_name, pairs) => {
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      expect(isProvedUnchanged(accessOf(before, after))).toBe(true);
    }),
    { numRuns: 150 },
  );
});
