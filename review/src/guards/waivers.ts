import {
  checked,
  DocumentError,
  listOf,
  name,
  objectOf,
  optional,
  type Reader,
  reading,
  text,
} from 'pulumi-edge-policy/internal/values/decoding';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { nounOfKind, type SubjectAccess } from '../access/subject-access';
import { finding, type FindingId, isFindingId, kindOf } from '../findings/catalog';
import type { Finding } from '../findings/finding';
import { isOwnPlace } from '../model/declarations';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import type { Waiver } from './assertion';
import type { CidrSet } from '../access/cidr-set';
import {
  cidrSetOf,
  emptyCidrSet,
  isEmptyCidrSet,
  subtract,
  toCidrs,
  unionAll,
  networkIn,
} from '../access/cidr-set';
import { ALL_CLIENTS, type ExtentPart } from '../findings/severity';

/** Findings that a reviewer needs before anything else, so they cannot be waived. */
const UNWAIVABLE: ReadonlySet<FindingId> = new Set([
  'preview-incomplete',
  'guard-weakened',
  'base-assertions-unread',
  'plan-differs',
  'locked-out',
  'guards-without-base',
  'waiver-expired',
  'waiver-too-long',
  'waiver-incomplete',
  'base-feeds-unread',
]);

const waivable: Reader<FindingId> = (value, place) => {
  const id = name(value, place);
  if (!isFindingId(id))
    throw new DocumentError(
      `${place} is not the id of a finding, such as "open-to-all": a report names the id of each.`,
    );
  if (UNWAIVABLE.has(id)) throw new DocumentError(`${place} cannot be waived.`);
  return id;
};

/** A name is no id: any resource can be given the name of another one. */
const scope = reading('policy:ID, edge:ID, route:EDGE/ROUTE or resource:URN', (value) =>
  typeof value === 'string' && /^(?:policy|edge|route|resource):./s.test(value) ? value : undefined,
);

/** A lenient parser reads `2027-02-31` as a day in March, so the date is written back and compared. */
const lastDay = reading('a date such as 2027-01-31', (value) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined;
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value) ? value : undefined;
});

const network = reading('an address or a network such as 192.0.2.0/24', (value) =>
  typeof value === 'string' ? networkIn(value)?.text : undefined,
);

/** Reads a waiver; `entry` reads the entry of an assertion into the keys of what it asks for. */
export const waiverWith = (entry: Reader<readonly string[]>): Reader<Waiver> =>
  checked(
    objectOf<Waiver>({
      finding: waivable,
      reason: name,
      expires: lastDay,
      subject: (value, place) => scope(name(value, place), place),
      networks: optional(listOf(network)),
      patterns: optional(listOf(text)),
      clients: optional(listOf(text)),
      assertion: optional(entry),
    }),
    (one) => {
      const other = PARTS.find((part) => one[part] && !partsOf(one).includes(part));
      return other && `names ${other}, which no ${one.finding} has`;
    },
  );

export interface WaiverStatus {
  readonly waiver: Waiver;
  /** A proposed one covers nothing: the change adds it, or its base is not known. */
  readonly state: 'used' | 'unused' | 'expired' | 'proposed' | 'incomplete';
  readonly coveredFindings: number;
}

export interface ReportedFinding extends Finding {
  readonly waiver?: Waiver;
}

/** Applies waivers that are still valid on the day of the review; expired ones become findings themselves. */
export function applyWaivers(
  findings: readonly Finding[],
  { waivers, proposed }: Readonly<Record<'proposed' | 'waivers', readonly Waiver[]>>,
  { now, accesses }: { readonly now: string; readonly accesses: readonly SubjectAccess[] },
): { findings: ReportedFinding[]; statuses: WaiverStatus[] } {
  const today = now.slice(0, '2027-01-31'.length);
  const kindsOf = grouped(accesses, ({ subject }) => subject);
  const isMeant = (one: Waiver, each: Finding): boolean => hasSubject(one, each, kindsOf);
  const covers = (one: Waiver, each: Finding): boolean => isMeant(one, each) && isWithin(each, one);
  const statuses = waivers.map((one): WaiverStatus => {
    const coveredFindings = findings.filter((each) => covers(one, each)).length;
    return { waiver: one, state: stateOf(one, today, coveredFindings), coveredFindings };
  });
  const used = statuses.filter(({ state }) => state === 'used');
  const reported = findings.map((each): ReportedFinding => {
    const covering = used.find((status) => covers(status.waiver, each));
    return covering ? { ...each, waiver: covering.waiver } : each;
  });
  const ofProposed = proposed.map((one): WaiverStatus => ({
    ...{ waiver: one, state: 'proposed', coveredFindings: 0 },
  }));
  return {
    findings: [
      ...reported,
      ...statuses.flatMap((status) => waiverFinding(status, today)),
      ...[...waivers, ...proposed].flatMap((one) =>
        incomplete(
          one,
          findings.filter((each) => isMeant(one, each)),
        ),
      ),
    ],
    statuses: [...statuses, ...ofProposed],
  };
}

/** Calendar dates of this form compare as texts. */
function stateOf(one: Waiver, today: string, coveredFindings: number): WaiverStatus['state'] {
  if (one.expires < today) return 'expired';
  if (lackingPart(one)) return 'incomplete';
  return coveredFindings > 0 ? 'used' : 'unused';
}

/** A program chooses ids freely, so an id that two kinds of objects have identifies neither. */
function hasSubject(
  one: Waiver,
  each: Finding,
  kindsOf: ReadonlyMap<string, readonly SubjectAccess[]>,
): boolean {
  if (one.finding !== each.id) return false;
  const { subject, origin } = each.where;
  if (one.subject.startsWith('resource:')) return one.subject === `resource:${origin?.urn ?? ''}`;
  if (subject === undefined || isOwnPlace(subject)) return false;
  const known = kindsOf.get(subject) ?? [];
  const [noun = ''] = one.subject.split(':', 1);
  return one.subject === `${noun}:${subject}` && known.every(({ kind }) => nounOfKind(kind) === noun);
}

/** A waiver that names nothing has to name what it accepts. The base, which no change can repair before, is only warned about. */
function incomplete(one: Waiver, meant: readonly Finding[]): Finding[] {
  const part = lackingPart(one);
  if (!part) return [];
  const { finding: id, subject } = one;
  const reason = say`The waiver of ${foreign(id)} for ${foreign(subject)} does not name what it accepts, and covers nothing: ${lineToAdd(part, meant)}.`;
  return [finding('waiver-incomplete', { where: { subject }, reason })];
}

function waiverFinding({ waiver: { subject, ...of }, state }: WaiverStatus, today: string): Finding[] {
  const inAYear = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  const [id, verb] =
    state === 'expired'
      ? (['waiver-expired', 'was'] as const)
      : of.expires > inAYear
        ? (['waiver-too-long', 'is'] as const)
        : [];
  if (!id) return [];
  const reason = say`The waiver of ${foreign(of.finding)} ${trusted(verb)} valid until ${foreign(of.expires)}: ${foreign(of.reason)}.`;
  return [finding(id, { where: { subject }, reason })];
}

const PARTS: readonly ExtentPart[] = ['assertion', 'networks', 'patterns', 'clients'];

const partsOf = ({ finding: id }: Pick<Waiver, 'finding'>) => kindOf(id).extents ?? [];

/** What a waiver lacks, and so it covers nothing: the first part that findings of its kind have. */
export function lackingPart(one: Waiver): ExtentPart | undefined {
  const parts = partsOf(one);
  const isEnough = parts.includes('assertion') ? one.assertion : parts.find((part) => one[part]);
  return isEnough ? undefined : parts[0];
}

/** Whether a waiver names all that a finding is about, or may be about. What is about nothing that can be named needs no name. */
function isWithin({ id, extent }: Finding, one: Waiver): boolean {
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

const areAmong = (texts: readonly string[], named: readonly string[] = []): boolean =>
  texts.every((each) => named.includes(each));

const isInside = (networks: CidrSet, named: readonly string[]): boolean =>
  isEmptyCidrSet(subtract(networks, cidrSetOf(named.flatMap((each) => networkIn(each) ?? []))));

/** A line is cut after so many, as a report cuts long texts. */
const MOST_IN_LINE = 8;

/** The line that makes a waiver cover what is found now; if nothing is, what such a line looks like. */
function lineToAdd(part: ExtentPart, meant: readonly Finding[]): Sentence {
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
