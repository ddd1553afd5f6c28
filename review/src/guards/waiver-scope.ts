// What a waiver accepts of its subject: it covers a finding only if it names all that the finding is about, or may be about.
import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type CidrSet,
  cidrSetOf,
  emptyCidrSet,
  isEmptyCidrSet,
  subtract,
  toCidrs,
  unionAll,
} from '../access/cidr-set';
import { kindOf } from '../findings/catalog';
import { ALL_CLIENTS, type ExtentPart } from '../findings/extent';
import type { Finding } from '../findings/finding';
import { foreign, say, type Sentence } from '../text/sentence';
import type { Waiver } from './assertion';

/** What a waiver may name of a subject. */
const PARTS: readonly ExtentPart[] = ['assertion', 'networks', 'patterns', 'clients'];

/** A part that no finding of its kind has. */
export const foreignPart = (one: Waiver): ExtentPart | undefined =>
  PARTS.find((part) => one[part] && !partsOf(one).includes(part));

const partsOf = ({ finding: id }: Pick<Waiver, 'finding'>) => kindOf(id).extents ?? [];

/** What a waiver lacks, and so it covers nothing: the first part that findings of its kind have. */
export function lackingPart(one: Waiver): ExtentPart | undefined {
  const parts = partsOf(one);
  const isEnough = parts.includes('assertion') ? one.assertion : parts.find((part) => one[part]);
  return isEnough ? undefined : parts[0];
}

/** Whether a waiver names all that a finding is about, or may be about. What is about nothing that can be named needs no name. */
export function isWithin({ id, extent }: Finding, one: Waiver): boolean {
  if (!kindOf(id).extents) return true;
  if (!extent || lackingPart(one)) return false;
  const { networks, patterns, clients, assertion } = extent;
  const isBounded = assertion !== undefined && !assertion.isCeiling;
  return (
    (!assertion || one.assertion?.includes(assertion.key) === true) &&
    (!networks || (one.networks ? isInside(networks, one.networks) : isBounded)) &&
    (!patterns || one.patterns?.includes(ALL_CLIENTS) === true || areAmong(patterns, one.patterns)) &&
    (!clients || areAmong(clients, one.clients))
  );
}

function networkIn(text: string): Cidr[] {
  const parsed = parseCidr(text);
  return parsed.ok ? [parsed.cidr] : [];
}

const areAmong = (texts: readonly string[], named: readonly string[] = []): boolean =>
  texts.every((each) => named.includes(each));

const isInside = (networks: CidrSet, named: readonly string[]): boolean =>
  isEmptyCidrSet(subtract(networks, cidrSetOf(named.flatMap(networkIn))));

/** A line is cut after so many, as a report cuts long texts. */
const MOST_IN_LINE = 8;

/** The line that makes a waiver cover what is found now; if nothing is, what such a line looks like. */
export function lineToAdd(part: ExtentPart, meant: readonly Finding[]): Sentence {
  const extents = meant.flatMap(({ extent }) => extent ?? []);
  const [entry] = extents.flatMap(({ assertion }) => assertion ?? []);
  if (part === 'assertion' && entry?.isCeiling !== true)
    return say`add ${foreign(`"assertion": ${entry?.entry ?? EXAMPLE_ENTRY}`)}`;
  const { networks, ...others } = {
    networks: toCidrs(unionAll(extents.map((each) => each.networks ?? emptyCidrSet))).map(({ text }) => text),
    patterns: extents.flatMap(({ patterns = [] }) => patterns),
    clients: extents.flatMap(({ clients = [] }) => clients),
  };
  const [[member, texts] = ['networks', networks]] = Object.entries(others).filter(
    ([, each]) => each.length > 0,
  );
  const named = [...new Set(texts)].slice(0, MOST_IN_LINE).map((each) => JSON.stringify(each));
  const list = `"${member}": [${(named.length === 0 ? ['"192.0.2.0/24"'] : named).join(', ')}]`;
  const rest = texts.length > MOST_IN_LINE ? say` and the ${texts.length - MOST_IN_LINE} others` : [];
  return say`add ${foreign(entry ? `"assertion": ${entry.entry}, ${list}` : list)}${rest}`;
}

const EXAMPLE_ENTRY = '{ "mustDeny": ["192.0.2.0/24"] }';
