import { known } from '../model/known';
import type { JsonObject } from '../preview/json-reading';
import { isObject, tryParseJson } from '../preview/json-reading';
import type { Assertion, AssertionSet } from './assertion';
import { decodeWaiver } from './decode-waiver';
import { AssertionFileError, checkKeys, identifierOf, listOf, objectsOf, textsOf } from './decoding';
import { decodeGate, mergeGates } from './gate';

/** Reads `edge-policy.assertions.json`. Everything unexpected is refused: a misspelt key must not switch a check off. */
export function readAssertionFile(text: string, fileName: string): AssertionSet {
  const document = tryParseJson(text.replace(/^\uFEFF/, ''))?.value;
  if (!isObject(document)) throw new AssertionFileError(`${fileName} must hold a JSON object.`);
  return decodeAssertions(document, fileName);
}

const KEYS = {
  document: ['$schema', 'policies', 'tcpEdges', 'userAgentFilters', 'waivers', 'gate'],
  policy: ['ipPolicyId', 'mustAllow', 'mustDeny', 'neverWiderThan'],
  tcpEdge: ['edgeId', 'mustAllow', 'mustDeny', 'neverWiderThan'],
  filter: ['edgeId', 'routeId', 'mustAllow', 'mustDeny'],
} as const;

/** Decodes the content of an assertion file, or of the program's own assertions, which a preview shows. */
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

/** Puts what several files ask for together. */
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
  const ceiling = textsOf(entry, 'neverWiderThan', place);
  const lists = bothLists(entry, place, (target, expectation, targetPlace) => {
    if (target === null)
      throw new AssertionFileError(`${targetPlace} must be an address or a network in CIDR notation.`);
    return { ...of, expectation, target };
  });
  if (!ceiling) return lists;
  return [...lists, { ...of, expectation: 'within', target: ceiling.join(', '), networks: ceiling }];
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
