import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import type { SubjectAccess } from '../access/subject-access';
import { isOwnPlace } from '../model/own-places';
import { foreign, say } from '../text/sentence';
import type { Waiver } from './assertion';
import { UNWAIVABLE } from './decode-waiver';
import type { Guards } from './guards';

/** A waiver and its result. */
export interface WaiverStatus {
  readonly waiver: Waiver;
  /** A proposed one covers nothing: the change adds it, or its base is not known. */
  readonly state: 'used' | 'unused' | 'expired' | 'too-long' | 'proposed';
  readonly coveredFindings: number;
}

/** A finding, and the waiver that covers it if one does. */
export interface ReportedFinding extends Finding {
  readonly waiver?: Waiver;
}

/** Applies waivers that are still valid on the day `today` (as `2027-01-31`); expired ones become findings themselves. */
export function applyWaivers(
  findings: readonly Finding[],
  { waivers, proposed }: Pick<Guards, 'waivers' | 'proposed'>,
  { today, accesses }: { readonly today: string; readonly accesses: readonly SubjectAccess[] },
): { findings: ReportedFinding[]; statuses: WaiverStatus[] } {
  const kindsOf = kindsBySubject(accesses);
  const covers = (waiver: Waiver, found: Finding): boolean => isCovered(waiver, found, kindsOf);
  const ofProposed = proposed.map((waiver): WaiverStatus => ({
    waiver,
    state: 'proposed',
    coveredFindings: 0,
  }));
  const statuses = waivers.map((waiver): WaiverStatus => {
    const coveredFindings = findings.filter((found) => covers(waiver, found)).length;
    // Calendar dates of this form compare as texts.
    if (waiver.expires < today) return { waiver, state: 'expired', coveredFindings };
    if (waiver.expires > inAYear(today)) return { waiver, state: 'too-long', coveredFindings };
    return { waiver, state: coveredFindings > 0 ? 'used' : 'unused', coveredFindings };
  });
  const valid = statuses.filter((status) => status.state === 'used').map((status) => status.waiver);
  const reported = findings.map((found): ReportedFinding => {
    const waiver = valid.find((candidate) => covers(candidate, found));
    return waiver ? { ...found, waiver } : found;
  });
  return {
    findings: [...reported, ...statuses.flatMap(waiverFinding)],
    statuses: [...statuses, ...ofProposed],
  };
}

/** The longest time that a waiver may cover: a year. */
const inAYear = (today: string): string =>
  String(Number(today.slice(0, 4)) + 1).padStart(4, '0') + today.slice(4);

type Kind = 'policy' | 'edge' | 'route';

const KINDS: Readonly<Record<SubjectAccess['kind'], Kind>> = {
  policy: 'policy',
  'tcp-edge': 'edge',
  route: 'route',
};

/** A program chooses ids freely, so an id that two kinds of objects have identifies neither. */
function kindsBySubject(accesses: readonly SubjectAccess[]): ReadonlyMap<string, ReadonlySet<Kind>> {
  const kinds = new Map<string, Set<Kind>>();
  for (const { kind, subject } of accesses) {
    const known = kinds.get(subject) ?? new Set<Kind>();
    kinds.set(subject, known.add(KINDS[kind]));
  }
  return kinds;
}

function isCovered(waiver: Waiver, found: Finding, kindsOf: ReadonlyMap<string, ReadonlySet<Kind>>): boolean {
  if (waiver.finding !== found.id || UNWAIVABLE.has(found.id)) return false;
  const { subject, origin } = found.where;
  if (waiver.subject.startsWith('resource:')) return waiver.subject === `resource:${origin?.urn ?? ''}`;
  if (subject === undefined || isOwnPlace(subject)) return false;
  const kinds = [...(kindsOf.get(subject) ?? [])];
  const [kind = ''] = waiver.subject.split(':', 1);
  return waiver.subject === `${kind}:${subject}` && kinds.every((other) => other === kind);
}

function waiverFinding({ waiver, state }: WaiverStatus): Finding[] {
  const where = { subject: waiver.subject };
  if (state === 'expired') {
    const reason = say`The waiver of ${foreign(waiver.finding)} was valid until ${foreign(waiver.expires)}: ${foreign(waiver.reason)}.`;
    return [finding('waiver-expired', { where, reason })];
  }
  if (state === 'too-long') {
    const reason = say`The waiver of ${foreign(waiver.finding)} would be valid until ${foreign(waiver.expires)}, more than a year ahead, so it is ignored.`;
    return [finding('waiver-too-long', { where, reason })];
  }
  if (state === 'unused') {
    return [
      finding('waiver-unused', {
        where,
        reason: say`The waiver of ${foreign(waiver.finding)} covers no finding.`,
      }),
    ];
  }
  return [];
}
