import fc from 'fast-check';
import { ADDRESSES, network } from './addresses';

/** What a country can be for the expressions below; undefined makes them fail. */
export const COUNTRIES = ['DE', 'FR', 'US', undefined];

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
export const expression: fc.Arbitrary<string> = fc.letrec<{ any: string }>((tie) => ({
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

export interface MadeRule {
  readonly name: string;
  readonly expressions: readonly string[];
  readonly actions: readonly object[];
}

export const rule: fc.Arbitrary<MadeRule> = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  expressions: fc.array(expression, { maxLength: 2 }),
  actions: fc.array(action, { minLength: 1, maxLength: 2 }),
});

const phase = fc.constantFrom('inbound', 'inbound', 'inbound', 'on_tcp_connect', 'outbound');

/** Rules in the phases of a document. */
export const document: fc.Arbitrary<string> = fc
  .array(fc.tuple(phase, rule), { maxLength: 4 })
  .map((rules) => {
    const phases: Record<string, MadeRule[]> = {};
    for (const [name, made] of rules) (phases[name] ??= []).push(made);
    return JSON.stringify(phases);
  });
