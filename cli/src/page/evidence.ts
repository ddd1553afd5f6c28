// The table of evidence: one row for each rule, the same on the page and as CSV.
import {
  type Blame,
  declaredBy,
  endOfRule,
  type Origin,
  type RuleDeclaration,
  type RuleEffect,
  visible,
} from 'pulumi-edge-policy-review/lookup';
import type { AccessSide } from './access-side';
import { blameKey, type PageContent } from './page-data';

/** One rule, with everything that a reviewer wants to know about it. A hidden value is marked as hidden. */
export interface EvidenceRow {
  readonly policy: string;
  readonly network: string;
  readonly action: string;
  /** The description. */
  readonly reason: string;
  /** Members of the metadata, if that is a JSON object. */
  readonly owner: string;
  readonly ticket: string;
  /** In words; empty without `--blame`. */
  readonly added: string;
  /** When the rule ends; empty if it does not. */
  readonly ends: string;
  readonly hasEnded: boolean;
  readonly effect: RuleEffect;
  readonly isByHand: boolean;
  readonly origin: Origin;
  readonly rule: RuleDeclaration;
}

/** The rules of a side, in the order of their policies and networks. */
export function evidenceOf(side: AccessSide, { blames = {}, made }: PageContent): EvidenceRow[] {
  const nowMs = Date.parse(made.at);
  const rows = side.resources.flatMap((resource) => {
    const { rules, lines } = declaredBy(resource);
    return rules.map((rule, index): EvidenceRow => {
      const texts = (lines?.isKnown ? lines.value.lines[index] : undefined) ?? resource.inputs;
      const reason = shown(Reflect.get(texts, 'description'));
      const metadata = membersOf(Reflect.get(texts, 'metadata'));
      const endMs = endOfRule(rule.until) ?? Number.POSITIVE_INFINITY;
      const blame = blames[blameKey(rule.origin, rule.property)];
      return {
        policy: textOf(rule.policyId),
        network: textOf(rule.cidr.isKnown ? { isKnown: true, value: rule.cidr.value.text } : rule.cidr),
        action: textOf(rule.action),
        reason,
        owner: shown(metadata['owner']),
        ticket: shown(metadata['ticket']),
        added: blame ? blameInWords(blame) : '',
        ends: rule.until === undefined ? '' : textOf(rule.until),
        hasEnded: endMs <= nowMs,
        effect: side.effectOf(rule),
        isByHand: side.when === 'live' && rule.origin.name === rule.origin.urn,
        origin: rule.origin,
        rule,
      };
    });
  });
  return rows.sort((one, other) => compare(one.policy, other.policy));
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const textOf = (value: RuleDeclaration['policyId'] | RuleDeclaration['action']): string =>
  value.isKnown ? value.value : `(${value.obstacle})`;

const shown = (value: unknown): string =>
  value === '[secret]' ? '(secret)' : typeof value === 'string' ? value : '';

function membersOf(metadata: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof metadata === 'string' ? JSON.parse(metadata) : {};
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const blameInWords = (blame: Blame): string =>
  'problem' in blame ? `not known: ${blame.problem}` : `${blame.commit} of ${blame.date} by ${blame.author}`;

/** Where a rule is declared: the resource, and the line of the program. */
const placeOf = ({ name, source }: Origin): string =>
  source ? `${name} (${source.file}:${source.line})` : name;

/** How evidence words an effect. */
export const EFFECTS: Readonly<Record<RuleEffect, string>> = {
  decides: 'decides',
  shadowed: 'shadowed',
  'never-matches': 'never matches',
  undecided: 'not decided',
};

/** The columns, in the order of the table. */
export const COLUMNS: readonly (readonly [title: string, cell: (row: EvidenceRow) => string])[] = [
  ['Policy', ({ policy }) => policy],
  ['Network', ({ network }) => network],
  ['Action', ({ action }) => action],
  ['Reason', ({ reason }) => reason],
  ['Owner', ({ owner }) => owner],
  ['Ticket', ({ ticket }) => ticket],
  ['Added', ({ added }) => added],
  ['Ends', ({ ends, hasEnded }) => (hasEnded ? `${ends} (ended)` : ends)],
  ['Effect', ({ effect }) => EFFECTS[effect]],
  ['Managed', ({ isByHand, origin }) => (isByHand ? 'by hand' : placeOf(origin))],
  ['Decision', () => ''],
];

/** The table as CSV (RFC 4180). No cell begins like a formula, which spreadsheets would run. */
export const csvOf = (rows: readonly EvidenceRow[]): string =>
  [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row)))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');

function csvCell(text: string): string {
  const safe = visible(text, Infinity).replace(/^(?=[=+\-@])/, "'");
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
