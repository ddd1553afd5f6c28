// The values that a program has marked as secret, and messages without them. Only this host is told the marks: every bag that it
// reads is noted, and every sentence passes here on its way to the engine, which prints failures and stores some in state, in clear.
import { maskEchoes } from '../../api/redact';
import { endedLines } from '../../rule-set/ended-lines';
import { networkOfKey, readRuleLines } from '../../rule-set/rules-text';
import { type Cidr, contains, parseCidr } from '../../values/cidr';
import { policyJson } from '../../values/policy-text';

/** The words of every message about rules: as parts of a marked list they tell nothing, and a mark on one of them hides both. */
const ACTIONS = ['allow', 'deny'];

/** Whatever may be an address. */
const ADDRESSES = /[0-9a-f]*(?:(?:\.|::?)[0-9a-f]+)+(?:::)?/gi;
const MASK = '***';

function networksIn(text: string): Cidr[] {
  const parsed = parseCidr(text);
  return parsed.ok ? [parsed.cidr] : [];
}

/** What the bags of a run have marked as secret. */
export class MarkedValues {
  private readonly values = new Set<string>();

  /** Takes in a marked value with all its parts, as a message may repeat one rule of a list. */
  readonly note = (value: unknown): void => {
    const parts = ACTIONS.includes(String(value)) ? ACTIONS : partsOf(value);
    for (const part of parts) this.values.add(part);
  };

  /** A sentence in which every marked value is masked. */
  readonly conceal = (sentence: string): string =>
    this.values.size === 0 ? sentence : maskEchoes(this.withoutAddresses(sentence), [...this.values]);

  /** A failure of check. It may suggest another value made from the given one, so all but its path is left out. */
  readonly concealFailure = (failure: string): string => {
    const shown = this.conceal(failure);
    if (shown === failure) return failure;
    return `${this.conceal(failure.split(': ', 1).join(''))}: is refused; why is not shown, as the value is secret`;
  };

  /** A sentence without any address of a marked network: a service may spell them otherwise, or name the last one. */
  private withoutAddresses(sentence: string): string {
    const named = (sentence.match(ADDRESSES) ?? []).flatMap(networksIn);
    if (named.length === 0) return sentence;
    const networks = [...this.values].flatMap(networksIn);
    return sentence.replace(ADDRESSES, (text) => {
      const [address] = networksIn(text);
      return address !== undefined && networks.some((network) => contains(network, address)) ? MASK : text;
    });
  }
}

function partsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...partsOfText(value)];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([key, inner]) => [
    // The keys of a map of rules.
    ...(/[.:/]/.test(key) ? [key] : []),
    ...partsOf(inner),
  ]);
  return parts.filter((part) => !ACTIONS.includes(part));
}

/** The parts of a text that holds a whole list or document. */
function partsOfText(text: string): string[] {
  const [address = ''] = text.split('/');
  const lines = readRuleLines(text);
  if (lines !== undefined)
    return [...lines, ...endedLines(text).map(({ rule }) => rule)].flatMap(
      ({ key, action: _action, open: _open, ...rest }) =>
        partsOf([networkOfKey(key), ...Object.values(rest)]),
    );
  try {
    const document: unknown = JSON.parse(policyJson(text));
    return typeof document === 'string' ? [] : partsOf(document);
  } catch {
    // A service may name a network by its first address.
    return address === text ? [] : [address];
  }
}
