import { isFindingId } from '../findings/catalog';
import type { Known } from '../model/known';
import { known } from '../model/known';
import type { JsonObject } from '../preview/json-reading';
import { isObject, tryParseJson } from '../preview/json-reading';
import { readText } from '../model/read-rules';
import type { Assertion, AssertionSet, Waiver } from './assertion';

/** An assertion file that cannot be used; the message says where and what is expected. */
export class AssertionFileError extends Error {
  override readonly name = 'AssertionFileError';
}

/** Reads `edge-policy.assertions.json`. Everything unexpected is refused: a misspelt key must not switch a check off. */
export function readAssertionFile(text: string, fileName: string): AssertionSet {
  const document = tryParseJson(text.replace(/^\uFEFF/, ''))?.value;
  if (!isObject(document)) throw new AssertionFileError(`${fileName} must hold a JSON object.`);
  return decodeAssertions(document, fileName);
}

const KEYS = {
  document: ['$schema', 'policies', 'userAgentFilters', 'waivers'],
  policy: ['ipPolicyId', 'mustAllow', 'mustDeny'],
  filter: ['edgeId', 'routeId', 'mustAllow', 'mustDeny'],
  waiver: ['finding', 'subject', 'reason', 'expires'],
} as const;

/** Decodes the content of an assertion file, or of the program's own assertions, which a preview shows. */
export function decodeAssertions(document: JsonObject, place: string): AssertionSet {
  checkKeys(document, KEYS.document, place);
  const entries = (key: string) => objectsOf(document[key], `${place}: ${key}`);
  return {
    assertions: [
      ...entries('policies').flatMap((entry, index) =>
        policyAssertions(entry, `${place}: policies[${index}]`),
      ),
      ...entries('userAgentFilters').flatMap((entry, index) =>
        filterAssertions(entry, `${place}: userAgentFilters[${index}]`),
      ),
    ],
    waivers: entries('waivers').map((entry, index) => decodeWaiver(entry, `${place}: waivers[${index}]`)),
  };
}

function policyAssertions(entry: JsonObject, place: string): Assertion[] {
  checkKeys(entry, KEYS.policy, place);
  const subject = identifierOf(entry, 'ipPolicyId', place);
  return bothLists(entry, place, (target, expectation, targetPlace) => {
    if (target === null)
      throw new AssertionFileError(`${targetPlace} must be an address or a network in CIDR notation.`);
    return { kind: 'address', subject, expectation, target };
  });
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
        throw new AssertionFileError(`${targetPlace} must be a text or null.`);
      return make(target, expectation, targetPlace);
    });
  return [...targetsOf('mustAllow', 'allow'), ...targetsOf('mustDeny', 'deny')];
}

const CALENDAR_DATE = /^\d{4}-\d{2}-\d{2}$/;

function decodeWaiver(entry: JsonObject, place: string): Waiver {
  checkKeys(entry, KEYS.waiver, place);
  const text = (key: string): string => {
    const value = entry[key];
    if (typeof value !== 'string' || value.trim() === '')
      throw new AssertionFileError(`${place}.${key} must be a text.`);
    return value;
  };
  const [findingId, reason, expires] = [text('finding'), text('reason'), text('expires')];
  if (!isFindingId(findingId))
    throw new AssertionFileError(`${place}.finding is no kind of finding: see docs/findings.md.`);
  if (findingId === 'preview-incomplete') throw new AssertionFileError(`${place}.finding cannot be waived.`);
  if (!CALENDAR_DATE.test(expires) || Number.isNaN(Date.parse(expires))) {
    throw new AssertionFileError(`${place}.expires must be a date such as 2027-01-31.`);
  }
  return {
    finding: findingId,
    reason,
    expires,
    ...(entry['subject'] !== undefined && { subject: text('subject') }),
  };
}

function identifierOf(entry: JsonObject, key: string, place: string): Known<string> {
  const value = readText(entry[key]);
  if (!value.isKnown && value.obstacle === 'unreadable')
    throw new AssertionFileError(`${place}.${key} must be a text.`);
  return value;
}

function objectsOf(value: unknown, place: string): JsonObject[] {
  return listOf(value, place).map((entry, index) => {
    if (!isObject(entry)) throw new AssertionFileError(`${place}[${index}] must be an object.`);
    return entry;
  });
}

function listOf(value: unknown, place: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new AssertionFileError(`${place} must be a list.`);
  return value as unknown[];
}

function checkKeys(object: JsonObject, allowed: readonly string[], place: string): void {
  const unexpected = Object.keys(object).find((key) => !allowed.includes(key));
  if (unexpected !== undefined) {
    throw new AssertionFileError(
      `${place} has the key ${JSON.stringify(unexpected)}; it may have ${allowed.join(', ')}.`,
    );
  }
}
