// The texts of rules. Access does not depend on them, so declarations are read without them.
import { RULE_TEXTS, type RuleText } from 'pulumi-edge-policy/internal/rule/rule';
import type { Origin } from './declarations';
import { type Known, valueOf } from './known';
import { readText } from './read-rules';
import type { ResourceChange, ResourceSide } from './resource-change';
import { declaredBy } from './snapshot';

/** A rule with its texts, as far as they are visible. */
export interface DescribedRule {
  readonly origin: Origin;
  readonly property: string;
  readonly policyId: Known<string>;
  readonly action: string | undefined;
  readonly network: string | undefined;
  /** When it ends; undefined if it does not, or if that is not known. */
  readonly until: string | undefined;
  readonly texts: Readonly<Partial<Record<RuleText, string>>>;
}

/** The rules that are new or have other texts than before. A rule that only moves to another resource is neither. */
export function changedRules(changes: readonly ResourceChange[]): DescribedRule[] {
  const candidates = changes.filter(({ kind, after }) => kind !== 'unchanged' && after !== undefined);
  if (candidates.length === 0) return [];
  const known = new Set(changes.flatMap(({ before }) => rulesOf(before)).map(identityOf));
  return candidates.flatMap(({ after }) => rulesOf(after)).filter((rule) => !known.has(identityOf(rule)));
}

const identityOf = ({ policyId, action, network, until, texts }: DescribedRule): string =>
  JSON.stringify([...[valueOf(policyId), action, network, until], ...RULE_TEXTS.map((name) => texts[name])]);

function rulesOf(side: ResourceSide | undefined): DescribedRule[] {
  if (side === undefined) return [];
  const { origin, inputs } = side;
  const policyId = readText(inputs['ipPolicyId']);
  if (origin.type === 'IpPolicyRule') {
    const [rule] = declaredBy(side).rules;
    const texts = textsBy((name) => valueOf(readText(inputs[name])));
    const network = rule && valueOf(rule.cidr)?.text;
    const action = rule && valueOf(rule.action);
    return [{ origin, property: 'cidr', policyId, action, network, until: undefined, texts }];
  }
  const { lines } = declaredBy(side);
  if (lines?.isKnown !== true) return [];
  return lines.value.lines.map((line) => ({
    ...{ origin, property: `rules["${line.key}"]`, policyId },
    ...{ action: line.action, network: line.key, until: line.until },
    texts: textsBy((name) => (line.open.includes(name) ? undefined : line[name])),
  }));
}

const textsBy = (textOf: (name: RuleText) => string | undefined): DescribedRule['texts'] =>
  Object.fromEntries(
    RULE_TEXTS.flatMap((name) => {
      const text = textOf(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
