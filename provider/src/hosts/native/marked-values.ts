// The values that a program has marked as secret, and messages without them. Only this host is told the marks: every bag that it
// reads is noted, and every sentence passes here on its way to the engine, which prints failures and stores some in state, in clear.
import { repeatedBy } from '../../api/redact';
import { endedLines, networkOfKey, readRuleLines } from '../../rule-set/rules-text';
import { type Cidr, contains, parseCidr } from '../../values/cidr';
import { policyJson } from '../../values/policy-text';

/** The words of every message about rules: as parts of a marked list they tell nothing, and a mark on one of them hides both. */
const ACTIONS = ['allow', 'deny'];

/** Whatever may be an address. */
const ADDRESSES = /[0-9a-f]*(?:(?:\.|::?)[0-9a-f]+)+(?:::)?/gi;
const MASK = '***';
const WITHHELD = 'A message is withheld because it repeats a value that is marked as secret.';

function networksIn(text: string): Cidr[] {
  const parsed = parseCidr(text);
  return parsed.ok ? [parsed.cidr] : [];
}

/** Which values a text tells: those that it repeats, and networks with an address in it, which a service may spell otherwise. */
function toldBy(text: string): (value: string) => boolean {
  const repeats = repeatedBy(text);
  const addresses = (text.match(ADDRESSES) ?? []).flatMap(networksIn);
  const isNamed = (network: Cidr): boolean => addresses.some((address) => contains(network, address));
  return (value) => repeats(value) || (addresses.length > 0 && networksIn(value).some(isNamed));
}

/** What the bags of a run have marked as secret. */
export class MarkedValues {
  private readonly values = new Set<string>();

  /** Takes in a marked value with all its parts, as a message may repeat one rule of a list. */
  readonly note = (value: unknown): void => {
    const parts = ACTIONS.includes(String(value)) ? ACTIONS : partsOf(value);
    for (const part of parts) this.values.add(part);
  };

  /**
   * A message without any marked value. A word that repeats one is masked; a line that repeats one of several words is withheld,
   * and a message that repeats one of several lines.
   */
  readonly conceal = (message: string): string => {
    const told = [...this.values].filter(toldBy(message));
    const words = told.filter((value) => !/\s/.test(value));
    const texts = told.filter((value) => /\s/.test(value));
    const parts = texts.some((text) => text.includes('\n')) ? [message] : message.split('\n');
    const concealed = (part: string): string =>
      texts.some(toldBy(part))
        ? WITHHELD
        : part.replace(/\S+/g, (word) => (words.some(toldBy(word)) ? MASK : word));
    return told.length === 0 ? message : parts.map(concealed).join('\n');
  };

  /** A failure of check. It may suggest another value made from the given one, so all but its path is left out. */
  readonly concealFailure = (failure: string): string => {
    const shown = this.conceal(failure);
    if (shown === failure) return failure;
    return `${this.conceal(failure.split(': ', 1).join(''))}: is refused; the reason is not shown because the value is secret`;
  };
}

function partsOf(value: unknown): string[] {
  if (typeof value === 'string') return partsOfText(value);
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([key, inner]) => [
    // The keys of a map of rules.
    ...(/[.:/]/.test(key) ? [key] : []),
    ...partsOf(inner),
  ]);
  return parts.filter((part) => !ACTIONS.includes(part));
}

/** A text, or the parts of one that holds a whole list or document. */
function partsOfText(text: string): string[] {
  const lines = readRuleLines(text);
  if (lines !== undefined)
    return [...lines, ...endedLines(text).map(({ rule }) => rule)].flatMap(
      ({ key, action: _action, open: _open, ...rest }) =>
        partsOf([networkOfKey(key), ...Object.values(rest)]),
    );
  try {
    const document: unknown = JSON.parse(policyJson(text));
    return typeof document === 'object' ? [JSON.stringify(document), ...partsOf(document)] : [text];
  } catch {
    // A service may name a network by its first address.
    return [text, ...text.split('/', 1)];
  }
}
