// The texts of rules. Access does not depend on them, so declarations are read without them.
import { RULE_TEXTS, type RuleText } from 'pulumi-edge-policy/internal/rule/rule';
import type { RuleDeclaration } from './declarations';
import { hidden, known, type Known, valueOf } from './known';
import { readText } from './read-rules';
import type { ResourceChange, ResourceSide } from './resource-change';
import { declaredBy } from './snapshot';

export interface DescribedRule extends Pick<RuleDeclaration, 'origin' | 'policyId' | 'property'> {
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

/** The texts of a rule, each known or hidden; those that are not set are absent. */
export type KnownTexts = Readonly<Partial<Record<RuleText, Known<string>>>>;

/** The texts of its rules in their order, as declared or as last read or written; none for a set that is hidden as a whole. */
export function textsOf(side: ResourceSide, which: 'declared' | 'live'): KnownTexts[] {
  const { origin, inputs, outputs } = side;
  if (origin.type === 'IpPolicyRule') {
    const from = which === 'live' && outputs['cidr'] !== undefined ? outputs : inputs;
    return [textsBy((name) => (isSet(from[name]) ? readText(from[name]) : undefined))];
  }
  const { lines } = declaredBy(side);
  if (lines?.isKnown !== true) return [];
  return lines.value.lines.map((line) =>
    textsBy((name) => {
      if (line.open.includes(name)) return hidden('unknown');
      const text = line[name];
      return isSet(text) ? known(text) : undefined;
    }),
  );
}

/** An empty text counts as none. */
const isSet = <T>(text: T | undefined): text is T => text !== undefined && text !== null && text !== '';

function rulesOf(side: ResourceSide | undefined): DescribedRule[] {
  if (side === undefined) return [];
  const { origin, inputs } = side;
  const all = textsOf(side, 'declared').map(visibleOnly);
  const policyId = readText(inputs['ipPolicyId']);
  if (origin.type === 'IpPolicyRule') {
    const [rule] = declaredBy(side).rules;
    const [texts = {}] = all;
    const network = rule && valueOf(rule.cidr)?.text;
    const action = rule && valueOf(rule.action);
    return [{ origin, property: 'cidr', policyId, action, network, until: undefined, texts }];
  }
  const { lines } = declaredBy(side);
  if (lines?.isKnown !== true) return [];
  return lines.value.lines.map((line, index) => ({
    ...{ origin, property: `rules["${line.key}"]`, policyId },
    ...{ action: line.action, network: line.key, until: line.until },
    texts: all[index] ?? {},
  }));
}

const visibleOnly = (texts: KnownTexts): DescribedRule['texts'] =>
  textsBy((name) => {
    const text = texts[name];
    return text && valueOf(text);
  });

const textsBy = <T>(textOf: (name: RuleText) => T | undefined): Readonly<Partial<Record<RuleText, T>>> =>
  Object.fromEntries(
    RULE_TEXTS.flatMap((name) => {
      const text = textOf(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
