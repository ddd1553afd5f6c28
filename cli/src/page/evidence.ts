// The table of evidence: one row for each rule, the same on the page and as CSV.
import {
  compareText,
  declaredBy,
  endOfRule,
  type Origin,
  type RuleDeclaration,
  type RuleEffect,
  textsOf,
  visible,
} from 'pulumi-edge-policy-review/lookup';
import { metadataMembers } from '../command/text';
import type { AccessSide } from './access-side';
import { ruleKey, type PageContent } from './page-data';

/** One rule, with everything that a reviewer wants to know about it. A hidden value is marked as hidden. */
export interface EvidenceRow {
  readonly policy: string;
  readonly network: string;
  readonly action: string;
  readonly reason: string;
  /** Members of the metadata, if that is a JSON object. */
  readonly owner: string;
  readonly ticket: string;
  /** When the rule was made, if that was by hand. */
  readonly added: string;
  /** When the rule ends; empty if it does not. */
  readonly ends: string;
  readonly hasEnded: boolean;
  readonly effect: RuleEffect;
  readonly use?: readonly string[];
  readonly isByHand: boolean;
  readonly origin: Origin;
  readonly rule: RuleDeclaration;
}

export function evidenceOf(side: AccessSide, { uses = {}, made }: PageContent): EvidenceRow[] {
  const nowMs = Date.parse(made.at);
  const rows = side.resources.flatMap((resource) => {
    const texts = textsOf(resource, 'declared');
    return declaredBy(resource).rules.map((rule, index): EvidenceRow => {
      const { description, metadata: data } = texts[index] ?? {};
      const metadata = metadataMembers(data?.isKnown === true ? data.value : undefined);
      const endMs = endOfRule(rule.until) ?? Number.POSITIVE_INFINITY;
      const use = uses[ruleKey(rule.origin, rule.property)];
      const isByHand = side.when === 'live' && rule.origin.name === rule.origin.urn;
      return {
        policy: textOf(rule.policyId),
        network: textOf(rule.cidr.isKnown ? { isKnown: true, value: rule.cidr.value.text } : rule.cidr),
        action: textOf(rule.action),
        reason: description ? textOf(description) : '',
        owner: metadata.get('owner') ?? '',
        ticket: metadata.get('ticket') ?? '',
        added: isByHand ? madeAt(resource) : '',
        ends: rule.until === undefined ? '' : textOf(rule.until),
        hasEnded: endMs <= nowMs,
        effect: side.effectOf(rule),
        ...(use && { use }),
        isByHand,
        origin: rule.origin,
        rule,
      };
    });
  });
  return rows.sort((one, other) => compareText(one.policy, other.policy));
}

const madeAt = ({ inputs: { createdAt } }: AccessSide['resources'][number]): string =>
  typeof createdAt === 'string' ? `made ${createdAt}` : '';

const textOf = (value: RuleDeclaration['policyId'] | RuleDeclaration['action']): string =>
  value.isKnown ? value.value : `(${value.obstacle})`;

const placeOf = ({ name, source }: Origin): string =>
  source ? `${name} (${source.file}:${source.line})` : name;

export const EFFECTS: Readonly<Record<RuleEffect, string>> = {
  decides: 'decides',
  shadowed: 'shadowed',
  'never-matches': 'never matches',
  undecided: 'not decided',
};

type Column = readonly [title: string, cell: (row: EvidenceRow) => string];

/** What access logs say; the last one is whose log it is, or why it decides nothing. */
const USE_COLUMNS = ['Clients', 'Requests', 'Needed by', 'First seen', 'Last seen', 'Log'].map(
  (title, at): Column => [title, ({ use }) => use?.[at] ?? ''],
);

const COLUMNS: readonly Column[] = [
  ['Policy', ({ policy }) => policy],
  ['Network', ({ network }) => network],
  ['Action', ({ action }) => action],
  ['Reason', ({ reason }) => reason],
  ['Owner', ({ owner }) => owner],
  ['Ticket', ({ ticket }) => ticket],
  ['Added', ({ added }) => added],
  ['Ends', ({ ends, hasEnded }) => (hasEnded ? `${ends} (ended)` : ends)],
  ['Effect', ({ effect }) => EFFECTS[effect]],
  ...USE_COLUMNS,
  ['Managed', ({ isByHand, origin }) => (isByHand ? 'by hand' : placeOf(origin))],
  ['Decision', () => ''],
];

/** The columns of the page: what logs say is one of them, so that all fit on a screen. */
export const PAGE_COLUMNS: readonly Column[] = COLUMNS.flatMap((column): Column[] => {
  if (!USE_COLUMNS.includes(column)) return [column];
  return column === USE_COLUMNS[0] ? [['Used by', ({ use }) => (use ? useInWords(use) : '')]] : [];
});

function useInWords(use: readonly string[]): string {
  const [clients = '', requests = '', needed = '', , lastSeen = '', log = ''] = use;
  const last = lastSeen === '' ? '' : `, last ${lastSeen}`;
  return clients === ''
    ? log
    : `clients: ${clients}, requests: ${requests}, only by this rule: ${needed}${last} (${log})`;
}

/** The table as CSV (RFC 4180). No cell begins like a formula, which spreadsheets would run. */
export function csvOf(rows: readonly EvidenceRow[]): string {
  const isAsked = rows.some(({ use }) => use);
  const columns = COLUMNS.filter((column) => isAsked || !USE_COLUMNS.includes(column));
  return [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cell]) => cell(row)))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('');
}

/**
 * What begins a formula, also in full width and behind spaces. A cell also begins behind `;`, by which some programs split; a quote
 * would hide the rows below from them.
 */
const FORMULA = /^(?=\s*[=+\-@＝＋－＠])|(?<=;)(?=\s*(?:["=+\-@＝＋－＠]|$))/g;

function csvCell(text: string): string {
  const safe = visible(text, Infinity).replace(FORMULA, "'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
