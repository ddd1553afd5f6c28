// The values that a program has marked as secret, and messages without them. The plugin finds the marks in each call; the
// dynamic host learns of them from the resource class, and old states do not have them. Every sentence passes here on its way
// to the engine, which prints failures and stores some in state, in clear.
import { mask, SecretTexts } from '../api/redact';
import { fieldsOf, type Properties } from '../fields/field';
import { endedLines, networkOfKey, readRuleLines } from '../rule-set/rules-text';
import { isCidr } from '../values/cidr';
import { policyJson } from '../values/policy-document';

/** Words of every message about rules, which reveal nothing as parts of a marked list; a mark on one of them hides both. */
const ACTIONS = ['allow', 'deny'];

export class MarkedValues {
  private readonly marked = new SecretTexts();
  private readonly unsaid = new Set<SecretTexts>();
  private readonly unsaidNetworks = new Set<SecretTexts>();

  /** Takes in a marked value with all its parts, as a message may repeat one rule of a list. */
  readonly note = (value: unknown): void => {
    this.marked.add(() => (ACTIONS.includes(String(value)) ? ACTIONS : partsOf(value)));
  };

  /** What must not be in a message of the service now. */
  readonly all = (): readonly SecretTexts[] => [this.marked, ...this.unsaid];

  /** A sentence of ours: it repeats no text of a resource, but networks. */
  readonly conceal = (message: string): string => mask(message, [this.marked, ...this.unsaidNetworks]);

  /** A failure of check. It may suggest a value made from the given one, so only its path is kept. */
  readonly concealFailure = (failure: string): string => {
    if (this.conceal(failure) === failure) return failure;
    return `${this.conceal(failure.split(': ', 1).join(''))}: is refused; the reason is not shown because the value is secret`;
  };

  /** An old state marks no secrets: meanwhile all its texts and networks count, but those that the new inputs also hold. */
  async whileConcealing<T>(
    fields: object,
    { olds, news = {} }: { readonly olds: object; readonly news?: object },
    work: () => Promise<T>,
  ): Promise<T> {
    const { unsettledRules, ...state } = olds as Properties;
    const before = (): string[] => [...textsIn(fields, state), ...partsOf(unsettledRules)];
    const now = (): string[] => textsIn(fields, news as Properties);
    const except = new SecretTexts(now);
    const unsaid = new SecretTexts(before, except);
    const networks = new SecretTexts(() => before().filter(isCidr), except);
    this.unsaid.add(unsaid);
    this.unsaidNetworks.add(networks);
    try {
      return await work();
    } finally {
      this.unsaid.delete(unsaid);
      this.unsaidNetworks.delete(networks);
    }
  }
}

/** The texts of a resource that may be secret. Its ids and actions are shown. */
const textsIn = (fields: object, bag: Properties): string[] =>
  fieldsOf(fields)
    .filter(([, { identifies }]) => identifies === undefined)
    .flatMap(([name]) => partsOf(bag[name]))
    .filter((text) => !ACTIONS.includes(text));

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
    // A service may name a network by its first address. A text may list networks, one a line.
    return [text, ...(text.match(/^[\da-f.:]+(?=\/)/gim) ?? [])];
  }
}
