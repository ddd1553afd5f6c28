// What a set sends, and in which order.
import { isSameRule, type LiveRule, type Rule } from '../rule/rule';
import { parseCidr } from '../values/cidr';
import { grouped } from '../values/grouped';

/** One step of a plan. A flip is a delete and then a create, as the service may refuse two rules for one network. */
export type RuleStep =
  | { readonly kind: 'create'; readonly rule: Rule }
  | { readonly kind: 'update' | 'flip'; readonly rule: LiveRule; readonly becomes: Rule }
  | { readonly kind: 'delete'; readonly rule: LiveRule };

/** Steps that may be done in any order, or at once. */
export type Phase = readonly RuleStep[];

/** The steps of each phase, by the action that a rule gets, or loses with its delete. An update of texts comes last. */
const PHASES: readonly (readonly string[])[] = [
  ['create deny'],
  ['flip deny'],
  ['flip allow'],
  ['create allow'],
  ['delete allow'],
  ['delete deny', 'update allow', 'update deny'],
];

/**
 * An unchanged rule takes no request, a flip two, any other change one. On the way, no address is let in that has access
 * neither before nor after, and no allow that ends shuts out an address that another lets in afterwards, if an address gets in
 * that matches an allow and no deny. So whatever opens follows all new denies, new allows precede the end of old ones, and a
 * deny ends after the allows that end under it.
 */
export function planChanges(live: readonly LiveRule[], declared: readonly Rule[]): readonly Phase[] {
  const steps = stepsBetween(live, declared);
  return PHASES.map((names) => steps.filter((step) => names.includes(nameOf(step)))).filter(
    (phase) => phase.length > 0,
  );
}

function nameOf(step: RuleStep): string {
  if (step.kind === 'flip') return `flip ${step.becomes.action}`;
  // An update that moves a rule opens its new network as a create does, even if only host bits are cleared.
  const isMove = step.kind === 'update' && step.rule.cidr !== step.becomes.cidr;
  return `${isMove ? 'create' : step.kind} ${step.rule.action}`;
}

export const requestCount = (plan: readonly Phase[]): number =>
  plan.flat().reduce((count, step) => count + (step.kind === 'flip' ? 2 : 1), 0);

/** If several live rules have one network, the most similar ones stay, as many as are declared. */
function stepsBetween(live: readonly LiveRule[], declared: readonly Rule[]): readonly RuleStep[] {
  const steps: RuleStep[] = [];
  const left = grouped(live, ({ cidr }) => networkOf(cidr));
  for (const becomes of declared) {
    const rules: LiveRule[] = left.get(becomes.cidr) ?? [];
    const rule = likest(rules, becomes);
    if (rule === undefined) {
      steps.push({ kind: 'create', rule: becomes });
      continue;
    }
    // State may hold several rules for one network. With the option ignoreChanges all of them are declared.
    rules.splice(rules.indexOf(rule), 1);
    if (rule.action !== becomes.action) steps.push({ kind: 'flip', rule, becomes });
    else if (!isSameRule(rule, becomes)) steps.push({ kind: 'update', rule, becomes });
  }
  for (const rule of [...left.values()].flat()) steps.push({ kind: 'delete', rule });
  return steps;
}

/** Others may have set host bits. The service may then refuse the canonical network, so this rule must be changed into it. */
function networkOf(cidr: string): string {
  const parsed = parseCidr(cidr);
  return parsed.ok ? cidr : (parsed.suggestions[0] ?? cidr);
}

const likest = (rules: readonly LiveRule[], declared: Rule): LiveRule | undefined =>
  rules.find((rule) => isSameRule(rule, declared)) ??
  rules.find(({ action }) => action === declared.action) ??
  rules[0];
