// The rules of a set cross the engine as one text, one rule per line. Nested objects are costly at every hop (serialisation,
// protobuf, the engine's property maps). The lines are YAML, so the CLI prints all rules of a new set; below a first line that is
// none, it prints only changed lines, with two around each (`Field.inLines`).
import { UserError } from '../errors/user-error';
import type { LiveRule, SetRule } from '../rule/rule';
import { type Cidr, compareCidrs, isCidr, networkIn } from '../values/cidr';
import { lineBody, readLine, ruleLine, type RuleLine } from './rule-line';

/** A rule of the text: sorted by its key, described by its body. */
export interface KeyedBody {
  readonly key: string;
  readonly body: string;
  /** Absent if the key is not a network: such keys come last, in the given order. */
  readonly network: Cidr | undefined;
}

/** No JSON and no YAML begins with an `@`, whatever follows. */
const FIRST_LINE = '@rules\n';

/** Nobody would read more in a preview, which may become the comment of a pull request. */
export const MOST_IN_FULL = 200;

/** Sorted by network: equal sets have equal texts. The last line has a break, too, as the CLI compares breaks. */
export function canonicalText(entries: KeyedBody[]): string {
  entries.sort(compareEntries);
  const lines = entries.map(({ key, body }) => `${ruleLine(key, body)}\n`).join('');
  // The CLI does not read a text of one line as YAML. It prints the line as it is.
  return entries.length > 1 && entries.length <= MOST_IN_FULL ? lines : `${FIRST_LINE}${lines}`;
}

/** A text that the CLI prints line by line. */
export const inLines = (text: string): string =>
  text.startsWith(FIRST_LINE) ? text : `${FIRST_LINE}${text}`;

/** The rules that a text declares, one a line: without its first line and those that are left out. */
export function ruleLines(text: string): string {
  const at = text.search(ENDED);
  return text.slice(text.startsWith(FIRST_LINE) ? FIRST_LINE.length : 0, at < 0 ? undefined : at);
}

/** The lines of a text, without those of rules that are left out; undefined if it is not one. */
export function readRuleLines(text: string): RuleLine[] | undefined {
  const lines = ruleLines(text).split('\n');
  if (text === '' || lines.pop() !== '') return undefined;
  const rules: RuleLine[] = [];
  for (const line of lines) {
    const rule = readLine(line);
    if (rule === undefined) return undefined;
    rules.push(rule);
  }
  return rules;
}

/** Keys of two rules for one network differ. */
export function networkOfKey(key: string): string {
  // Nearly every key is a network and nothing else.
  if (!key.endsWith(')') && !key.startsWith('not ')) return key;
  const network = key.replace(NO_NETWORK_PREFIX, '');
  return network === key ? key.replace(DUPLICATE_SUFFIX, '') : network;
}

/** What state holds of live rules: their text, and their ids in the order of its lines, without repeating the networks. */
export interface RulesInState {
  readonly rules: string;
  readonly ruleIdList: string;
}

/** Of two rules for one network, the second has the key `10.0.0.0/8 (duplicate 2)`: the next `up` removes it. */
export function rulesInState(live: readonly LiveRule[]): RulesInState {
  const seen = new Map<string, number>();
  const entries = live.map((rule) => {
    const count = (seen.get(rule.cidr) ?? 0) + 1;
    seen.set(rule.cidr, count);
    const key = keyOf(rule.cidr, count);
    return { id: rule.id, ...keyedBody({ ...rule, key, open: [] }) };
  });
  const rules = canonicalText(entries);
  // With one id per line, a refresh shows only the changed ones.
  return { rules, ruleIdList: entries.map(({ id }) => `${id}\n`).join('') };
}

export const hasOpenFields = (text: string): boolean =>
  // A description may contain the word, too; nearly no text does.
  text.includes('(unknown') && readRuleLines(text)?.some(({ open }) => open.length > 0) === true;

export function parseRules(text: string): SetRule[] {
  return linesOf(text).map(({ key, action, open, ...texts }) => {
    if (open.length > 0 || action === undefined)
      throw new UserError('A rule of the set has a value that is still unknown at deployment.');
    return { cidr: networkOfKey(key), action, ...texts };
  });
}

export function liveRulesInState(state: Partial<RulesInState>): LiveRule[] {
  if (state.rules === undefined) return [];
  const rules = parseRules(state.rules);
  const ids = parseIdList(state.ruleIdList);
  if (ids.length !== rules.length) {
    throw new UserError(
      `The state of this rule set holds ${rules.length} rules and ${ids.length} ids. Export the stack, make "ruleIdList" list ` +
        `the id of every rule in "rules", in the same order, and import it again.`,
    );
  }
  return rules.map((rule, index) => ({ ...rule, id: ids[index] ?? '' }));
}

export function idsByKey({ rules, ruleIdList }: RulesInState): Record<string, string> {
  const ids = parseIdList(ruleIdList);
  return Object.fromEntries(linesOf(rules).map(({ key }, index) => [key, ids[index] ?? '']));
}

export const parseIdList = (list: unknown): string[] =>
  typeof list === 'string' ? list.split('\n').filter((id) => id !== '') : [];

function linesOf(text: string): RuleLine[] {
  const lines = readRuleLines(text);
  if (lines === undefined) {
    throw new UserError(
      'The rules of this set in the state cannot be read: they are not in the form that this package writes. Restore the state ' +
        'from a backup or an export.',
    );
  }
  return lines;
}

const keyedBody = (line: RuleLine): KeyedBody => ({
  key: line.key,
  body: lineBody(line, line.open),
  network: networkIn(networkOfKey(line.key)),
});

/** A text that the service sends instead of a network cannot pass for another kind of key. */
function keyOf(network: string, count: number): string {
  if (!isCidr(network)) return `not a network${count === 1 ? '' : ` (duplicate ${count})`}: ${network}`;
  return count === 1 ? network : `${network} (duplicate ${count})`;
}

const NO_NETWORK_PREFIX = /^not a network(?: \(duplicate \d+\))?: /;
const DUPLICATE_SUFFIX = / \(duplicate \d+\)$/;

function compareEntries(a: KeyedBody, b: KeyedBody): number {
  if (a.network === undefined || b.network === undefined) {
    return Number(a.network === undefined) - Number(b.network === undefined);
  }
  return compareCidrs(a.network, b.network);
}

// Rules that the set leaves out, as their end has passed, have lines behind those of all others:
//
//   ended 198.51.100.7/32: allow 'Vendor X' until 2026-12-31
//   left out 192.0.2.0/25: deny until 2025-11-30
//
// The first has been live with this end. The second had passed when it was declared, perhaps by a wrong year, so it was never
// sent. State keeps both lines: otherwise the next check could not tell the one from the other.

export type EndedKind = 'ended' | 'left out';

export interface EndedLine {
  readonly kind: EndedKind;
  readonly rule: RuleLine;
  readonly text: string;
}

const ENDED = /^(?:ended|left out) /m;

export function endedLines(text: string): EndedLine[] {
  const at = text.search(ENDED);
  if (at < 0) return [];
  return text
    .slice(at)
    .split('\n')
    .flatMap((line) => {
      const kind = line.startsWith('ended ') ? 'ended' : 'left out';
      const rule = readLine(line.slice(kind.length + 1));
      return rule === undefined ? [] : [{ kind, rule, text: line }];
    });
}

export const withEndedLines = (text: string, lines: readonly Pick<EndedLine, 'text'>[]): string =>
  text + lines.map((line) => `${line.text}\n`).join('');
