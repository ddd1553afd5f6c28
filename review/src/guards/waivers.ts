import {
  DocumentError,
  name,
  objectOf,
  type Reader,
  reading,
} from 'pulumi-edge-policy/internal/values/decoding';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { nounOfKind, type SubjectAccess } from '../access/subject-access';
import { finding, type FindingId, isFindingId } from '../findings/catalog';
import type { Finding } from '../findings/finding';
import { isOwnPlace } from '../model/declarations';
import { foreign, say, trusted } from '../text/sentence';
import type { Waiver } from './assertion';

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

export const waiver = objectOf<Waiver>({
  finding: waivable,
  reason: name,
  expires: lastDay,
  subject: (value, place) => scope(name(value, place), place),
});

export interface WaiverStatus {
  readonly waiver: Waiver;
  /** A proposed one covers nothing: the change adds it, or its base is not known. */
  readonly state: 'used' | 'unused' | 'expired' | 'proposed';
  readonly coveredFindings: number;
}

/** A finding, and the waiver that covers it if one does. */
export interface ReportedFinding extends Finding {
  readonly waiver?: Waiver;
}

/** Applies waivers that are still valid on the day `today` (as `2027-01-31`); expired ones become findings themselves. */
export function applyWaivers(
  findings: readonly Finding[],
  { waivers, proposed }: Readonly<Record<'proposed' | 'waivers', readonly Waiver[]>>,
  { today, accesses }: { readonly today: string; readonly accesses: readonly SubjectAccess[] },
): { findings: ReportedFinding[]; statuses: WaiverStatus[] } {
  const kindsOf = grouped(accesses, ({ subject }) => subject);
  const covers = (one: Waiver, found: Finding): boolean => isCovered(one, found, kindsOf);
  const statuses = waivers.map((one): WaiverStatus => {
    const coveredFindings = findings.filter((found) => covers(one, found)).length;
    return { waiver: one, state: stateOf(one, today, coveredFindings), coveredFindings };
  });
  const used = statuses.filter(({ state }) => state === 'used');
  const reported = findings.map((found): ReportedFinding => {
    const covering = used.find((status) => covers(status.waiver, found));
    return covering ? { ...found, waiver: covering.waiver } : found;
  });
  const ofProposed = proposed.map((one): WaiverStatus => ({
    ...{ waiver: one, state: 'proposed', coveredFindings: 0 },
  }));
  return {
    findings: [...reported, ...statuses.flatMap((status) => waiverFinding(status, today))],
    statuses: [...statuses, ...ofProposed],
  };
}

/** Calendar dates of this form compare as texts. */
function stateOf({ expires }: Waiver, today: string, coveredFindings: number): WaiverStatus['state'] {
  if (expires < today) return 'expired';
  return coveredFindings > 0 ? 'used' : 'unused';
}

/** A program chooses ids freely, so an id that two kinds of objects have identifies neither. */
function isCovered(
  one: Waiver,
  found: Finding,
  kindsOf: ReadonlyMap<string, readonly SubjectAccess[]>,
): boolean {
  if (one.finding !== found.id) return false;
  const { subject, origin } = found.where;
  if (one.subject.startsWith('resource:')) return one.subject === `resource:${origin?.urn ?? ''}`;
  if (subject === undefined || isOwnPlace(subject)) return false;
  const known = kindsOf.get(subject) ?? [];
  const [noun = ''] = one.subject.split(':', 1);
  return one.subject === `${noun}:${subject}` && known.every(({ kind }) => nounOfKind(kind) === noun);
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
