import { fieldsOf, type Properties, type TypeSpec } from '../fields/field';
import { type PolicyRule, RULE_TEXTS, type RuleTexts, type ServiceRule } from '../rule/rule';
import { ACTIONS, type RuleAction } from '../values/action';
import { canonicalCidr } from '../values/cidr';
import {
  DocumentError,
  identifier,
  isObject,
  isSafeId,
  listOf,
  type Members,
  membersOf,
  object,
  oneOf,
  type Reader,
  text,
  toggle,
} from '../values/decoding';

/** One page of the account's rules (section 2.3). */
export interface RulePage {
  readonly rules: readonly ServiceRule[];
  readonly unreadable: readonly UnreadableRow[];
  readonly nextPageUri: string | null;
}

/** A row of a list that is no rule as the document describes it. */
export interface UnreadableRow {
  readonly problem: string;
  /** Its policy, if that can be read. */
  readonly ipPolicyId?: string;
}

/** The service may answer a text that is not set as absent, as `""` or as null. All mean absent. */
const optionalText: Reader<string | undefined> = (value, place) =>
  value === undefined || value === null || value === '' ? undefined : text(value, place);

const readRule = membersOf<
  RuleTexts & {
    readonly id: string;
    readonly uri: string;
    readonly created_at: string;
    readonly cidr: string;
    readonly ip_policy: { readonly id: string; readonly uri: string };
    readonly action: RuleAction;
  }
>({
  ...{ id: identifier, uri: text, created_at: text, cidr: text, action: oneOf(ACTIONS) },
  ip_policy: membersOf({ id: identifier, uri: text }),
  ...(Object.fromEntries(RULE_TEXTS.map((name) => [name, optionalText])) as Members<RuleTexts>),
});

export function decodeIpPolicyRule(value: unknown, place = 'body'): ServiceRule {
  const { created_at: createdAt, cidr, ip_policy: policy, ...same } = readRule(value, place);
  return { ...same, createdAt, cidr: canonicalCidr(cidr), ipPolicyId: policy.id };
}

/** A row of a list. One that cannot be read does not make the others unreadable. */
function decodeRow(value: unknown, place: string): ServiceRule | UnreadableRow {
  try {
    return decodeIpPolicyRule(value, place);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    const { ip_policy: policy } = isObject(value) ? value : {};
    const { id: ipPolicyId } = isObject(policy) ? policy : {};
    return { problem: error.message, ...(isSafeId(ipPolicyId) && { ipPolicyId }) };
  }
}

const isUnreadable = (row: ServiceRule | UnreadableRow): row is UnreadableRow => 'problem' in row;

const readPage = membersOf<{
  readonly ip_policy_rules: readonly (ServiceRule | UnreadableRow)[];
  readonly uri: string;
  readonly next_page_uri: string | null;
}>({
  ip_policy_rules: listOf(decodeRow),
  uri: text,
  // A missing member is an error: it would silently end the list.
  next_page_uri: (value, place) => (value === null ? null : text(value, place)),
});

export function decodeIpPolicyRuleList(value: unknown): RulePage {
  const { ip_policy_rules: rows, next_page_uri: nextPageUri } = readPage(value, 'body');
  return {
    rules: rows.flatMap((row) => (isUnreadable(row) ? [] : [row])),
    unreadable: rows.filter(isUnreadable),
    nextPageUri,
  };
}

/** An answer with the fields of a table that are sent to the service, each checked for the type that programs read. */
export function decodeModule(table: object, value: unknown): Properties {
  const answer = object(value, 'body');
  const sent = fieldsOf(table).flatMap(([name, { wire, type }]) =>
    wire === undefined ? [] : [[name, readerOf(type.output)(answer[wire], `body.${wire}`)]],
  );
  return Object.fromEntries(sent) as Properties;
}

function readerOf({ type, items }: TypeSpec): Reader<unknown> {
  if (type === 'boolean') return toggle;
  if (type === 'string') return text;
  if (type === 'array' && items?.type === 'string') return listOf(text);
  throw new TypeError('a new type of field needs a reader');
}

/** A module may be absent: only `null` or `{}` means that there is none. */
export const orNone =
  <T>(decode: (value: unknown) => T) =>
  (value: unknown): T | undefined =>
    value === null || (isObject(value) && Object.keys(value).length === 0) ? undefined : decode(value);

/** The rule that a request is about. A rule never changes its policy, so the answer must name the policy if it is known. */
export interface RuleRef {
  readonly id: string;
  readonly ipPolicyId?: string | undefined;
}

/** Whether a rule of an answer, known by its id, is in the expected policy. */
export const isInPolicyOf = ({ ipPolicyId }: RuleRef, answered: ServiceRule): boolean =>
  ipPolicyId === undefined || answered.ipPolicyId === ipPolicyId;

export const sameRule =
  (ref: RuleRef) =>
  (value: unknown): ServiceRule => {
    const rule = decodeIpPolicyRule(value);
    if (rule.id !== ref.id) throw new DocumentError('the body describes another rule');
    if (!isInPolicyOf(ref, rule)) throw new DocumentError('the body describes a rule of another policy');
    return rule;
  };

/** Checks that an answer is the rule just created. The CIDR is not compared, as the service may write it differently. */
export const ruleLike =
  ({ ipPolicyId, action }: PolicyRule) =>
  (value: unknown): ServiceRule => {
    const rule = decodeIpPolicyRule(value);
    if (rule.ipPolicyId !== ipPolicyId || rule.action !== action) {
      throw new DocumentError('the body describes another rule');
    }
    return rule;
  };
