import type { Finding } from '../findings/finding';
import { finding } from '../findings/finding';
import { foreign, say } from '../text/sentence';
import type { Waiver } from './assertion';
import { UNWAIVABLE } from './decode-waiver';

/** A waiver and what became of it. */
export interface WaiverStatus {
  readonly waiver: Waiver;
  readonly state: 'used' | 'unused' | 'expired' | 'too-long';
  readonly coveredFindings: number;
}

/** A finding, and the waiver that covers it if one does. */
export interface ReportedFinding extends Finding {
  readonly waiver?: Waiver;
}

/** Applies waivers that still hold on the day `today` (as `2027-01-31`); the others are findings themselves. */
export function applyWaivers(
  findings: readonly Finding[],
  waivers: readonly Waiver[],
  today: string,
): { findings: ReportedFinding[]; statuses: WaiverStatus[] } {
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
  return { findings: [...reported, ...statuses.flatMap(waiverFinding)], statuses };
}

/** The same day of the next year, the furthest that anybody can see ahead. */
const inAYear = (today: string): string =>
  String(Number(today.slice(0, 4)) + 1).padStart(4, '0') + today.slice(4);

function covers(waiver: Waiver, found: Finding): boolean {
  if (waiver.finding !== found.id || UNWAIVABLE.has(found.id)) return false;
  const { subject, origin } = found.where;
  return waiver.subject === undefined || [subject, origin?.name, origin?.urn].includes(waiver.subject);
}

function waiverFinding({ waiver, state }: WaiverStatus): Finding[] {
  const where = waiver.subject === undefined ? {} : { subject: waiver.subject };
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
