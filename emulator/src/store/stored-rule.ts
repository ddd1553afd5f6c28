/** The optional texts of a rule (sections 2.1 and 4.1), each with its limit in bytes of UTF-8 (section 8). */
const LIMITS_BYTES = { description: 255, metadata: 4096 } as const;

export type RuleText = keyof typeof LIMITS_BYTES;

/** The names of the texts, as requests and answers write them. */
export const RULE_TEXTS = Object.keys(LIMITS_BYTES) as RuleText[];

/** The texts of a rule that are set. */
export type RuleTexts = Readonly<Partial<Record<RuleText, string | undefined>>>;

/** The results of `valueOf` for each text; undefined ones are omitted. */
export function byText<T>(
  valueOf: (name: RuleText, limitBytes: number) => T | undefined,
): Partial<Record<RuleText, T>> {
  const texts: Partial<Record<RuleText, T>> = {};
  for (const name of RULE_TEXTS) {
    const value = valueOf(name, LIMITS_BYTES[name]);
    if (value !== undefined) texts[name] = value;
  }
  return texts;
}

/** All texts of a rule after an edit that names some of them; an empty text clears. */
export const editedTexts = (before: RuleTexts, edit: RuleTexts): RuleTexts =>
  Object.fromEntries(RULE_TEXTS.map((name) => [name, emptyToUnset(edit[name] ?? before[name])]));

const emptyToUnset = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

export type RuleAction = 'allow' | 'deny';

/** An IP policy rule as the service stores it. */
export interface Rule extends RuleTexts {
  readonly id: string;
  readonly createdAtMs: number;
  /** As it is served; `network` is the canonical form by which duplicates are found. */
  readonly cidr: string;
  readonly network: string;
  readonly policyId: string;
  readonly action: RuleAction;
}
