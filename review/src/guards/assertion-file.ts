import {
  DocumentError,
  listOf,
  name,
  objectOf,
  optional,
  type Reader,
  reading,
} from 'pulumi-edge-policy/internal/values/decoding';
import { allKnown, type Hidden, known, type Known } from '../model/known';
import { readText } from '../model/read-rules';
import { isObject, type JsonObject, parsedObject } from '../preview/json-reading';
import { parseJson } from 'pulumi-edge-policy/internal/values/json';
import { type Assertion, assertionKey, type AssertionSet, feedInWords, type Waiver } from './assertion';
import { type Gate, gate, mergeGates } from './gate';
import { waiverWith } from './waivers';

/** Refuses everything unexpected, as a misspelt key must not switch a check off, and texts that readers of JSON take differently. */
export function readAssertionFile(content: string, fileName: string): AssertionSet {
  const document = objectIn(content, fileName);
  const parsed = parseJson(withoutMark(content));
  if (!parsed.ok) throw new DocumentError(`${fileName} ${parsed.problem}.`);
  return decodeAssertions(document, fileName);
}

/** Reads the file of a base. What an earlier version accepted has no effect: otherwise no pull request could repair it. */
export function readBaseAssertionFile(content: string, fileName: string): AssertionSet {
  const read = decodeBaseAssertions(objectIn(content, fileName), fileName);
  const parsed = parseJson(withoutMark(content));
  return parsed.ok ? read : { ...read, ignored: [...(read.ignored ?? []), `${fileName} ${parsed.problem}`] };
}

const withoutMark = (content: string): string => content.replace(/^\uFEFF/, '');

function objectIn(content: string, fileName: string): JsonObject {
  const document = parsedObject(content);
  if (!document) throw new DocumentError(`${fileName} must hold a JSON object.`);
  return document;
}

/** Members of the gate that earlier versions read. */
const RETIRED = ['terminalActions'];

/** Decodes the assertions of a base, without the members that are no longer read. */
export function decodeBaseAssertions(document: JsonObject, place: string): AssertionSet {
  const { gate: gates } = document;
  const retired = isObject(gates) ? RETIRED.filter((key) => Object.hasOwn(gates, key)) : [];
  if (!isObject(gates) || retired.length === 0) return decodeAssertions(document, place);
  const current = Object.fromEntries(Object.entries(gates).filter(([key]) => !retired.includes(key)));
  const ignored = retired.map((key) => `${place} has gate.${key}, which is no longer read`);
  return { ...decodeAssertions({ ...document, gate: current }, place), ignored };
}

/** Decodes the content of an assertion file, or the program's own assertions, which a preview shows. */
export function decodeAssertions(document: JsonObject, place: string): AssertionSet {
  const { policies = [], tcpEdges = [], userAgentFilters = [], ...more } = assertions(document, place);
  return {
    assertions: [...policies, ...tcpEdges, ...userAgentFilters].flat(),
    waivers: more.waivers ?? [],
    gate: more.gate ?? {},
  };
}

export const mergeAssertions = (sets: readonly AssertionSet[]): AssertionSet => ({
  assertions: sets.flatMap((set) => set.assertions),
  waivers: sets.flatMap((set) => set.waivers),
  gate: mergeGates(sets.map((set) => set.gate)),
  ignored: sets.flatMap((set) => set.ignored ?? []),
});

/** An identifier, which may be hidden if a program states its assertions. */
const identifier: Reader<Known<string>> = reading('a string', (value) => {
  const id = readText(value);
  return !id.isKnown && id.obstacle === 'unreadable' ? undefined : id;
});

const entries = <T>(read: Reader<T>): Reader<readonly T[] | undefined> => optional(listOf(read));

type Demands = Partial<Record<'mustAllow' | 'mustDeny' | 'neverWiderThan', readonly Target[]>>;

/** A text; no header; a feed; or what a preview of the program hides. */
type Target = string | null | { readonly feed: string } | Hidden;

/** What a program states may be an output. */
const unlessHidden =
  <T>(read: Reader<T>): Reader<T | Hidden> =>
  (value, place) => {
    const text = readText(value);
    return text.isKnown || text.obstacle === 'unreadable' ? read(value, place) : text;
  };

const targets = (read: Reader<Target>): Reader<readonly Target[] | undefined> =>
  optional((value, place) => [unlessHidden(listOf(unlessHidden(read)))(value, place)].flat());

const feed = objectOf<{ readonly feed: string }>({ feed: name });

const network: Reader<Target> = (value, place) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return feed(value, place);
  throw new DocumentError(
    `${place} must be an address, a network in CIDR notation, or a feed such as { "feed": "cloudflare" }.`,
  );
};

const client = reading('a string or null', (value): string | null | undefined =>
  typeof value === 'string' || value === null ? value : undefined,
);

const networks = targets(network);
const clients = targets(client);
const byNetwork = { mustAllow: networks, mustDeny: networks, neverWiderThan: networks };

const policy = objectOf<Demands & { ipPolicyId: Assertion['subject'] }>({
  ipPolicyId: identifier,
  ...byNetwork,
});
const tcpEdge = objectOf<Demands & { edgeId: Assertion['subject'] }>({ edgeId: identifier, ...byNetwork });
const filter = objectOf<Omit<Demands, 'neverWiderThan'> & Record<'edgeId' | 'routeId', Assertion['subject']>>(
  { edgeId: identifier, routeId: identifier, mustAllow: clients, mustDeny: clients },
);

const anyTarget: Reader<Target> = (value, place) => (value === null ? null : network(value, place));

/** The entry of an assertion as a waiver names it: the members that it accepts, as they are written in the assertion. */
const entry: Reader<readonly string[]> = (value, place) => {
  const read = objectOf<Demands>({
    mustAllow: targets(anyTarget),
    mustDeny: targets(anyTarget),
    neverWiderThan: networks,
  });
  return demanded({ kind: 'address', subject: known('') }, read(value, place)).map(assertionKey);
};

/** By what is asked: `tcpEdges` is about connections through an edge, whichever modules decide them. */
const assertions = objectOf<{
  $schema?: unknown;
  policies?: readonly Assertion[][];
  tcpEdges?: readonly Assertion[][];
  userAgentFilters?: readonly Assertion[][];
  waivers?: readonly Waiver[];
  gate?: Gate;
}>(
  {
    $schema: (value) => value,
    policies: entries((value, place) => {
      const { ipPolicyId: subject, ...demands } = policy(value, place);
      return demanded({ kind: 'address', subject }, demands);
    }),
    tcpEdges: entries((value, place) => {
      const { edgeId: subject, ...demands } = tcpEdge(value, place);
      return demanded({ kind: 'connection', subject }, demands);
    }),
    userAgentFilters: entries((value, place) => {
      const { edgeId, routeId, ...demands } = filter(value, place);
      const ids = allKnown([edgeId, routeId]);
      return demanded(
        { kind: 'user-agent', subject: ids.isKnown ? known(ids.value.join('/')) : ids },
        demands,
      );
    }),
    waivers: entries(waiverWith(entry)),
    gate: optional(gate),
  },
  ': ',
);

function demanded(of: Pick<Assertion, 'kind' | 'subject'>, demands: Demands): Assertion[] {
  const { mustAllow = [], mustDeny = [], neverWiderThan } = demands;
  const each = (expectation: 'allow' | 'deny', targets: readonly Target[]) =>
    targets.map((target): Assertion => {
      if (target === null || typeof target === 'string') return { ...of, expectation, target };
      if (!('feed' in target)) return unknownDemand(expectation, of, target);
      return { ...of, expectation, target: feedInWords(target.feed), networks: [], feeds: [target.feed] };
    });
  const lists = [...each('allow', mustAllow), ...each('deny', mustDeny)];
  return neverWiderThan === undefined ? lists : [...lists, ceiling(of, neverWiderThan)];
}

/** What cannot be checked, like what is asked of a subject that is not known. */
const unknownDemand = (
  expectation: Assertion['expectation'],
  { kind }: Pick<Assertion, 'kind'>,
  subject: Hidden,
): Assertion => ({ kind, subject, expectation, target: 'a hidden value' });

function ceiling(of: Pick<Assertion, 'kind' | 'subject'>, targets: readonly Target[]): Assertion {
  const inside = targets.flatMap((target) => (typeof target === 'string' ? [target] : []));
  const feeds: string[] = [];
  for (const target of targets) {
    if (target === null || typeof target === 'string') continue;
    if (!('feed' in target)) return unknownDemand('within', of, target);
    feeds.push(target.feed);
  }
  const target = [...inside, ...feeds.map(feedInWords)].join(', ');
  return {
    ...of,
    ...{ expectation: 'within', target, networks: inside },
    ...(feeds.length > 0 && { feeds }),
  };
}
