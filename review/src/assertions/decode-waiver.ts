import type { FindingId } from '../findings/catalog';
import { isFindingId } from '../findings/catalog';
import type { JsonObject } from '../preview/json-reading';
import type { Waiver } from './assertion';
import { AssertionFileError, checkKeys, textOf } from './decoding';

const KEYS = ['finding', 'subject', 'reason', 'expires'];

/** Findings that a reviewer needs before anything else, so they cannot be waived. */
export const UNWAIVABLE: ReadonlySet<FindingId> = new Set([
  'preview-incomplete',
  'guard-weakened',
  'base-assertions-unread',
  'plan-differs',
  'locked-out',
  'guards-accepted',
  'guards-without-base',
  'waiver-expired',
  'waiver-too-long',
  'waiver-unused',
  'base-feeds-unread',
]);

/** A name is no id: any resource can be given the name of another one. */
const SUBJECT = /^(?:policy|edge|route|resource):./s;

/** Decodes a waiver. */
export function decodeWaiver(entry: JsonObject, place: string): Waiver {
  checkKeys(entry, KEYS, place);
  const [finding, reason] = [textOf(entry, 'finding', place), textOf(entry, 'reason', place)];
  const expires = textOf(entry, 'expires', place);
  if (!isFindingId(finding))
    throw new AssertionFileError(
      `${place}.finding is not the id of a finding, such as "open-to-all": a report names the id of each.`,
    );
  if (UNWAIVABLE.has(finding)) throw new AssertionFileError(`${place}.finding cannot be waived.`);
  if (!isCalendarDate(expires))
    throw new AssertionFileError(`${place}.expires must be a date such as 2027-01-31.`);
  const subject = textOf(entry, 'subject', place);
  if (!SUBJECT.test(subject))
    throw new AssertionFileError(
      `${place}.subject must be policy:ID, edge:ID, route:EDGE/ROUTE or resource:URN.`,
    );
  return { finding, reason, expires, subject };
}

/** A lenient parser reads `2027-02-31` as a day in March, so the date is written back and compared. */
function isCalendarDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
