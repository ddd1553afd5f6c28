import { fieldsOf, type Properties, type TypeSpec } from '../fields/field';
import { pickTexts, type PolicyRule, type ServiceRule } from '../rule/rule';
import { canonicalCidr } from '../values/cidr';
import { typeName } from '../values/failure';
import { isSafeId } from '../values/identifiers';
import { isObject } from '../values/json';

/** One page of the account's rules (section 2.3). */
export interface RulePage {
  readonly rules: readonly ServiceRule[];
  readonly nextPageUri: string | null;
}

/** A field of an answer differs from what the document says. The message names the field and never its content. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

function fail(field: string, expected: string, actual: unknown): never {
  throw new DecodeError(
    `${field === '' ? 'the body' : `its field ${field}`} is ${typeName(actual)} (expected ${expected})`,
  );
}

/** Reads the fields of one JSON object; own properties only. */
class Fields {
  private readonly source: object;

  constructor(
    value: unknown,
    private readonly at = '',
  ) {
    this.source = isObject(value) ? value : fail(at, 'an object', value);
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.source, name) ? Reflect.get(this.source, name) : undefined;
  }

  nameOf(name: string): string {
    return this.at === '' ? name : `${this.at}.${name}`;
  }

  string(name: string): string {
    const value = this.raw(name);
    return typeof value === 'string' ? value : fail(this.nameOf(name), 'a string', value);
  }

  /** The service may answer a text that is not set as absent, as `""` or as null: all mean absent. */
  optionalText(name: string): string | undefined {
    const value = this.raw(name);
    return value === undefined || value === null || value === '' ? undefined : this.string(name);
  }

  id(name: string): string {
    const value = this.string(name);
    return isSafeId(value)
      ? value
      : fail(this.nameOf(name), 'an identifier of letters, digits, _ and -', value);
  }

  boolean(name: string): boolean {
    const value = this.raw(name);
    return typeof value === 'boolean' ? value : fail(this.nameOf(name), 'true or false', value);
  }

  array(name: string): readonly unknown[] {
    const value = this.raw(name);
    return Array.isArray(value) ? value : fail(this.nameOf(name), 'an array', value);
  }

  strings(name: string): readonly string[] {
    return this.array(name).map((item, index) =>
      typeof item === 'string' ? item : fail(`${this.nameOf(name)}[${index}]`, 'a string', item),
    );
  }
}

/** A rule: an answer of its own, or a part of one. */
export function decodeIpPolicyRule(value: unknown, at?: string): ServiceRule {
  const fields = new Fields(value, at);
  const policy = new Fields(fields.raw('ip_policy'), fields.nameOf('ip_policy'));
  const action = fields.string('action');
  const ipPolicyId = policy.id('id');
  // The provider does not use it, but the document says that every answer has it.
  policy.string('uri');
  return {
    id: fields.id('id'),
    uri: fields.string('uri'),
    createdAt: fields.string('created_at'),
    ...pickTexts((name) => fields.optionalText(name)),
    cidr: canonicalCidr(fields.string('cidr')),
    ipPolicyId,
    action:
      action === 'allow' || action === 'deny'
        ? action
        : fail(fields.nameOf('action'), 'allow or deny', action),
  };
}

/** An answer that is one page of rules. A missing `next_page_uri` is an error: it would silently end the list. */
export function decodeIpPolicyRuleList(value: unknown): RulePage {
  const fields = new Fields(value);
  const rules = fields.array('ip_policy_rules');
  fields.string('uri');
  return {
    rules: rules.map((rule, index) => decodeIpPolicyRule(rule, `ip_policy_rules[${index}]`)),
    nextPageUri: fields.raw('next_page_uri') === null ? null : fields.string('next_page_uri'),
  };
}

/** An answer with the fields of a table that are sent to the service, each checked for the type that programs read. */
export function decodeModule(table: object, value: unknown): Properties {
  const answer = new Fields(value);
  const decoded: Record<string, unknown> = {};
  for (const [name, { wire, type }] of fieldsOf(table)) {
    if (wire !== undefined) decoded[name] = decodeAs(answer, wire, type.output);
  }
  return decoded;
}

function decodeAs(answer: Fields, wire: string, { type, items }: TypeSpec): unknown {
  if (type === 'boolean') return answer.boolean(wire);
  if (type === 'string') return answer.string(wire);
  if (type === 'array' && items?.type === 'string') return answer.strings(wire);
  throw new TypeError(`no way to decode ${wire}: a new type of field needs a decoder`);
}

/** The answer to a get of a module, which may be absent: `null` or `{}` alone means that there is none. */
export const orNone =
  <T>(decode: (value: unknown) => T) =>
  (value: unknown): T | undefined =>
    value === null || (isObject(value) && Object.keys(value).length === 0) ? undefined : decode(value);

/** The rule that a request is about. A rule never changes its policy: if the policy is known, the answer must name it. */
export interface RuleRef {
  readonly id: string;
  readonly ipPolicyId?: string | undefined;
}

/** Whether a rule of an answer, known by its id, is in the expected policy. */
export const isInPolicyOf = ({ ipPolicyId }: RuleRef, answered: ServiceRule): boolean =>
  ipPolicyId === undefined || answered.ipPolicyId === ipPolicyId;

/** Checks that an answer is the rule that was asked for. */
export const sameRule =
  (ref: RuleRef) =>
  (value: unknown): ServiceRule => {
    const rule = decodeIpPolicyRule(value);
    if (rule.id !== ref.id) throw new DecodeError('the body describes another rule');
    if (!isInPolicyOf(ref, rule)) throw new DecodeError('the body describes a rule of another policy');
    return rule;
  };

/** Checks that an answer is the rule that was just created. The CIDR is not compared, as the service may write it differently. */
export const ruleLike =
  ({ ipPolicyId, action }: PolicyRule) =>
  (value: unknown): ServiceRule => {
    const rule = decodeIpPolicyRule(value);
    if (rule.ipPolicyId !== ipPolicyId || rule.action !== action) {
      throw new DecodeError('the body describes another rule');
    }
    return rule;
  };
