import { known } from '../model/known';
import type { JsonObject } from '../preview/json-reading';
import { isObject, tryParseJson } from '../preview/json-reading';
import { type Assertion, type AssertionSet, feedInWords } from './assertion';
import { decodeWaiver } from './decode-waiver';
import { AssertionFileError, checkKeys, identifierOf, listOf, objectsOf, textOf } from './decoding';
import { decodeGate, mergeGates } from './gate';

/** Reads `edge-policy.assertions.json`. Everything unexpected is refused, as a misspelt key must not switch a check off. */
export function readAssertionFile(text: string, fileName: string): AssertionSet {
  const document = tryParseJson(text.replace(/^\uFEFF/, ''))?.value;
  if (!isObject(document)) throw new AssertionFileError(`${fileName} must hold a JSON object.`);
  return decodeAssertions(document, fileName);
}

/** By what is asked: `tcpEdges` is about connections through an edge, whichever modules decide them. */
const KEYS = {
  document: ['$schema', 'policies', 'tcpEdges', 'userAgentFilters', 'waivers', 'gate'],
  policy: ['ipPolicyId', 'mustAllow', 'mustDeny', 'neverWiderThan'],
  tcpEdge: ['edgeId', 'mustAllow', 'mustDeny', 'neverWiderThan'],
  filter: ['edgeId', 'routeId', 'mustAllow', 'mustDeny'],
  feed: ['feed'],
} as const;

/** Decodes the content of an assertion file, or the program's own assertions, which a preview shows. */
export function decodeAssertions(document: JsonObject, place: string): AssertionSet {
  checkKeys(document, KEYS.document, place);
  const entries = <T>(key: string, decode: (entry: JsonObject, place: string) => T): T[] =>
    objectsOf(document[key], `${place}: ${key}`).map((entry, index) =>
      decode(entry, `${place}: ${key}[${index}]`),
    );
  return {
    assertions: [
      ...entries('policies', policyAssertions),
      ...entries('tcpEdges', tcpEdgeAssertions),
      ...entries('userAgentFilters', filterAssertions),
    ].flat(),
    waivers: entries('waivers', decodeWaiver),
    gate: decodeGate(document['gate'], `${place}: gate`),
  };
}

/** Merges the contents of several files. */
export const mergeAssertions = (sets: readonly AssertionSet[]): AssertionSet => ({
  assertions: sets.flatMap((set) => set.assertions),
  waivers: sets.flatMap((set) => set.waivers),
  gate: mergeGates(sets.map((set) => set.gate)),
});

function policyAssertions(entry: JsonObject, place: string): Assertion[] {
  checkKeys(entry, KEYS.policy, place);
  return networkAssertions(entry, place, {
    kind: 'address',
    subject: identifierOf(entry, 'ipPolicyId', place),
  });
}

function tcpEdgeAssertions(entry: JsonObject, place: string): Assertion[] {
  checkKeys(entry, KEYS.tcpEdge, place);
  return networkAssertions(entry, place, {
    kind: 'connection',
    subject: identifierOf(entry, 'edgeId', place),
  });
}

function networkAssertions(
  entry: JsonObject,
  place: string,
  of: Pick<Assertion, 'kind' | 'subject'>,
): Assertion[] {
  const lists = (['mustAllow', 'mustDeny'] as const).flatMap((key) => {
    const { networks, feeds } = targetsOf(entry, key, place);
    const expectation = key === 'mustAllow' ? ('allow' as const) : ('deny' as const);
    return [
      ...networks.map((target): Assertion => ({ ...of, expectation, target })),
      ...feeds.map((name): Assertion => ({
        ...{ ...of, expectation, target: feedInWords(name) },
        ...{ networks: [], feeds: [name] },
      })),
    ];
  });
  if (entry['neverWiderThan'] === undefined) return lists;
  const { networks, feeds } = targetsOf(entry, 'neverWiderThan', place);
  const target = [...networks, ...feeds.map(feedInWords)].join(', ');
  const ceiling = { ...of, expectation: 'within' as const, target, networks };
  return [...lists, feeds.length === 0 ? ceiling : { ...ceiling, feeds }];
}

/** The targets in a list of networks: texts, and feeds as `{ "feed": NAME }`. */
function targetsOf(entry: JsonObject, key: string, place: string): Record<'feeds' | 'networks', string[]> {
  const targets = { networks: [] as string[], feeds: [] as string[] };
  listOf(entry[key], `${place}.${key}`).forEach((target, index) => {
    const targetPlace = `${place}.${key}[${index}]`;
    if (typeof target === 'string') targets.networks.push(target);
    else if (isObject(target)) {
      checkKeys(target, KEYS.feed, targetPlace);
      targets.feeds.push(textOf(target, 'feed', targetPlace));
    } else {
      throw new AssertionFileError(
        `${targetPlace} must be an address, a network in CIDR notation, or a feed such as { "feed": "cloudflare" }.`,
      );
    }
  });
  return targets;
}

function filterAssertions(entry: JsonObject, place: string): Assertion[] {
  checkKeys(entry, KEYS.filter, place);
  const parts = [identifierOf(entry, 'edgeId', place), identifierOf(entry, 'routeId', place)];
  const obstacle = parts.find((part) => !part.isKnown);
  const subject = obstacle ?? known(parts.map((part) => (part.isKnown ? part.value : '')).join('/'));
  return bothLists(entry, place, (target, expectation) => ({
    kind: 'user-agent',
    subject,
    expectation,
    target,
  }));
}

type MakeAssertion = (target: string | null, expectation: 'allow' | 'deny', place: string) => Assertion;

function bothLists(entry: JsonObject, place: string, make: MakeAssertion): Assertion[] {
  const targetsOf = (key: string, expectation: 'allow' | 'deny') =>
    listOf(entry[key], `${place}.${key}`).map((target, index) => {
      const targetPlace = `${place}.${key}[${index}]`;
      if (typeof target !== 'string' && target !== null)
        throw new AssertionFileError(`${targetPlace} must be a string or null.`);
      return make(target, expectation, targetPlace);
    });
  return [...targetsOf('mustAllow', 'allow'), ...targetsOf('mustDeny', 'deny')];
}
