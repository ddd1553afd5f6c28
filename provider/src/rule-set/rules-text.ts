// The rules of a set cross the engine as one JSON text: nested objects are costly at every hop (serialisation, protobuf,
// the engine's property maps), a text costs almost nothing, and the CLI still shows what changed in it key by key.
import { UserError } from '../lifecycle/user-error';
import { compareNetworks, readNetwork, type Network } from './network';
import type { LiveRule, SetRule } from './rule';

/** A rule of the text: its key orders it, its body says the rest. */
export interface KeyedBody {
  readonly key: string;
  readonly body: string;
  /** Absent where the key is no network: such keys come last, in the order given. */
  readonly network: Network | undefined;
}

/** The canonical text: keys sorted by network, so that equal sets have equal texts. */
export function canonicalText(entries: KeyedBody[]): string {
  if (!isSorted(entries)) entries.sort(compareEntries);
  return `{${entries.map(({ key, body }) => `${JSON.stringify(key)}:${body}`).join(',')}}`;
}

/** The body of a rule, as it stands after its key. */
export function bodyText(rule: Omit<SetRule, 'cidr'>): string {
  const description =
    rule.description === undefined ? '' : `,"description":${JSON.stringify(rule.description)}`;
  const metadata = rule.metadata === undefined ? '' : `,"metadata":${JSON.stringify(rule.metadata)}`;
  return `{"action":"${rule.action}"${description}${metadata}}`;
}

/** What state holds of live rules: their text, and their ids in the order of its keys, without the networks again. */
export interface RulesInState {
  readonly rules: string;
  readonly ruleIdList: string;
}

/**
 * The state of live rules. Two rules for one network, which some services allow, both show up: the second under the key
 * `10.0.0.0/8 (duplicate 2)`, which no declaration has, so that the next `up` removes it.
 */
export function rulesInState(live: readonly LiveRule[]): RulesInState {
  const seen = new Map<string, number>();
  const entries = live.map((rule) => {
    const count = (seen.get(rule.cidr) ?? 0) + 1;
    seen.set(rule.cidr, count);
    const reading = readNetwork(rule.cidr);
    return {
      id: rule.id,
      key: count === 1 ? rule.cidr : `${rule.cidr}${duplicateMark(count)}`,
      body: bodyText(rule),
      network: 'refusal' in reading ? undefined : reading,
    };
  });
  const rules = canonicalText(entries);
  return { rules, ruleIdList: entries.map(({ id }) => id).join(' ') };
}

/** The rules that a text in canonical form declares. */
export function parseRules(text: string): SetRule[] {
  const bodies = Object.entries(JSON.parse(text) as Record<string, Omit<SetRule, 'cidr'>>);
  return bodies.map(([key, { action, description, metadata }]) => ({
    cidr: key.replace(duplicateSuffix, ''),
    action,
    ...(description === undefined ? {} : { description }),
    ...(metadata === undefined ? {} : { metadata }),
  }));
}

/** The live rules that state holds; none where it holds nothing yet. */
export function liveRulesInState(state: Partial<RulesInState>): LiveRule[] {
  if (state.rules === undefined) return [];
  const rules = parseRules(state.rules);
  const ids = parseIds(state.ruleIdList);
  if (ids.length !== rules.length) {
    throw new UserError(
      `The state of this rule set holds ${rules.length} rules and ${ids.length} ids. Export the stack, make ` +
        `"ruleIdList" name the id of every key of "rules" in their order, and import it again.`,
    );
  }
  return rules.map((rule, index) => ({ ...rule, id: ids[index] ?? '' }));
}

/** The ids of rules by their keys. */
export function idsByKey({ rules, ruleIdList }: RulesInState): Record<string, string> {
  const ids = parseIds(ruleIdList);
  const keys = Object.keys(JSON.parse(rules) as object);
  return Object.fromEntries(keys.map((key, index) => [key, ids[index] ?? '']));
}

const parseIds = (list: string | undefined): string[] =>
  list === undefined || list === '' ? [] : list.split(' ');

const duplicateMark = (count: number): string => ` (duplicate ${count})`;
const duplicateSuffix = / \(duplicate \d+\)$/;

const isSorted = (entries: readonly KeyedBody[]): boolean =>
  entries.every((entry, index) => {
    const previous = entries[index - 1];
    return previous === undefined || compareEntries(previous, entry) <= 0;
  });

function compareEntries(a: KeyedBody, b: KeyedBody): number {
  if (a.network === undefined || b.network === undefined) {
    return Number(a.network === undefined) - Number(b.network === undefined);
  }
  return compareNetworks(a.network, b.network);
}
