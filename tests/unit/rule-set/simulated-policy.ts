import type { Phase, Step } from '../../../provider/src/rule-set/plan-changes';
import type { LiveRule, Rule } from '../../../provider/src/rule/rule';
import { parseCidr } from '../../../provider/src/values/cidr';

/** One request of a step. A flip is two, the second after the first. */
type Request = (policy: SimulatedPolicy) => void;

/** A policy as the service holds it, small enough to ask about every address. */
export class SimulatedPolicy {
  readonly rules: LiveRule[];
  private created = 0;

  constructor(
    rules: readonly LiveRule[],
    private readonly options: { readonly refusesDuplicates: boolean },
  ) {
    this.rules = [...rules];
  }

  create(rule: Rule): void {
    this.refuseTaken(rule.cidr);
    this.rules.push({ ...rule, id: `new-${++this.created}` });
  }

  update(id: string, becomes: Rule): void {
    const at = this.indexOf(id);
    const rule = this.rules[at];
    if (rule?.action !== becomes.action) throw new Error('the action of a rule cannot change');
    if (rule.cidr !== becomes.cidr) this.refuseTaken(becomes.cidr);
    this.rules[at] = { ...becomes, id };
  }

  delete(id: string): void {
    this.rules.splice(this.indexOf(id), 1);
  }

  /** The addresses that are let in (under an allow, and under no deny), as bits of a number. */
  letsIn(): number {
    const under = (action: string): number =>
      this.rules.reduce((bits, rule) => (rule.action === action ? bits | addressesIn(rule.cidr) : bits), 0);
    return under('allow') & ~under('deny');
  }

  private indexOf(id: string): number {
    const at = this.rules.findIndex((rule) => rule.id === id);
    if (at < 0) throw new Error(`there is no rule ${id}`);
    return at;
  }

  private refuseTaken(cidr: string): void {
    if (this.options.refusesDuplicates && this.rules.some((rule) => rule.cidr === cidr)) {
      throw new Error(`the policy already has a rule for ${cidr}`);
    }
  }
}

/** The requests of a phase in an order that a service might see: steps interleave, a flip's create follows its delete. */
export function requestsOf(phase: Phase, pick: (count: number) => number): Request[] {
  const queues = phase.map(requestsOfStep);
  const ordered: Request[] = [];
  while (queues.length > 0) {
    const at = pick(queues.length);
    const request = queues[at]?.shift();
    if (request !== undefined) ordered.push(request);
    if (queues[at]?.length === 0) queues.splice(at, 1);
  }
  return ordered;
}

function requestsOfStep(step: Step): Request[] {
  if (step.kind === 'create')
    return [
      (policy) => {
        policy.create(step.rule);
      },
    ];
  if (step.kind === 'update')
    return [
      (policy) => {
        policy.update(step.rule.id, step.becomes);
      },
    ];
  const remove: Request = (policy) => {
    policy.delete(step.rule.id);
  };
  if (step.kind === 'delete') return [remove];
  return [
    remove,
    (policy) => {
      policy.create(step.becomes);
    },
  ];
}

const known = new Map<string, number>();

/** The addresses of a network in 10.0.0.0/28, as bits of a number. */
function addressesIn(cidr: string): number {
  const bits = known.get(cidr) ?? bitsOf(cidr);
  known.set(cidr, bits);
  return bits;
}

function bitsOf(text: string): number {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  const { first, last } = parsed.cidr;
  let bits = 0;
  for (let at = BigInt(first); at <= last; at += 1n) bits |= 1 << Number(at & 15n);
  return bits;
}
