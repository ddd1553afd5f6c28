import type { RuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import type { ResourceChange } from '../model/resource-change';
import { declaredBy } from '../model/snapshot';
import { foreign, list, say } from '../text/sentence';
import { finding, type Finding } from './finding';

/**
 * Networks that one resource gives up and another takes in the same `up`, while both stay: two rules that swap, or a single
 * rule and a set. The engine updates them in any order, so for a moment one network has two rules, or none.
 */
export function handOverFindings(changes: readonly ResourceChange[]): Finding[] {
  const resources = changes.filter(({ kind }) => kind === 'update' || kind === 'replace');
  if (resources.length < 2) return [];
  const updated = resources.map(movesOf);
  const givers = new Map<string, Moves>();
  for (const moves of updated) for (const key of moves.given.keys()) givers.set(key, moves);
  return updated.flatMap((taker) => {
    const handed = [...taker.taken].flatMap(([key, rule]) => {
      const giver = givers.get(key);
      return giver ? [{ rule, giver, before: giver.given.get(key) }] : [];
    });
    const [first] = handed;
    if (!first) return [];
    const { origin, property } = first.rule;
    const networks = list(handed.map(({ rule }) => foreign(valueOf(rule.cidr)?.text ?? '')));
    const names = [...new Set(handed.map(({ giver }) => giver.name))].map(foreign);
    const isGuarded = handed.some(({ before }) => before && valueOf(before.action) === 'deny');
    return [
      finding('network-handed-over', {
        where: { subject: valueOf(first.rule.policyId), origin, property },
        reason: say`${foreign(origin.name)} takes over ${networks} from ${list(names)} while both are updated, in no fixed order.`,
        // Without its deny rule a network may be let in meanwhile.
        severity: isGuarded ? 'medium' : 'low',
      }),
    ];
  });
}

interface Moves {
  readonly name: string;
  /** By policy and network: what the resource gives up, and what it takes. */
  readonly given: ReadonlyMap<string, RuleDeclaration>;
  readonly taken: ReadonlyMap<string, RuleDeclaration>;
}

function movesOf({ before, after }: ResourceChange): Moves {
  const [old, now] = [before, after].map((side) => byNetwork(side ? declaredBy(side).rules : []));
  const only = (rules = new Map<string, RuleDeclaration>(), others = new Map<string, RuleDeclaration>()) =>
    new Map([...rules].filter(([key]) => !others.has(key)));
  const { name = '' } = (after ?? before)?.origin ?? {};
  return { name, given: only(old, now), taken: only(now, old) };
}

function byNetwork(rules: readonly RuleDeclaration[]): Map<string, RuleDeclaration> {
  const networks = new Map<string, RuleDeclaration>();
  for (const rule of rules) {
    const { policyId, cidr } = rule;
    if (policyId.isKnown && cidr.isKnown) networks.set(`${policyId.value} ${cidr.value.text}`, rule);
  }
  return networks;
}
