import { type CidrSet, everything } from '../access/cidr-set';
import type { Conditions, Place } from './condition';
import { allOf, ALWAYS, type Formula, NEVER, whenIs, whenIsNot } from './formula';
import { roleOfPhase } from './phases';
import { refusedByRestriction } from './restrict-ips';
import type { TrafficAction, TrafficRule } from './traffic-rules';
import { isObject } from '../preview/json-reading';

/** The effects of a document on connections, in order. */
export type Step =
  /** Refuses the addresses of a set, if a condition holds. */
  | { readonly kind: 'refuse'; readonly when: Formula; readonly set: CidrSet; readonly source?: StepSource }
  /** Has an unknown effect: the variable says whether it `refuses`, `admits`, or goes on. */
  | { readonly kind: 'unknown'; readonly when: Formula; readonly name: string };

/** An action of a rule, and its phase if the phase may not run. */
interface StepSource {
  readonly phase: string;
  readonly rule: TrafficRule;
  readonly action: TrafficAction;
}

/** What decides who gets in through an edge. */
export interface Program {
  readonly steps: readonly Step[];
  /** A comparable form, understood or not: its rules, and names of hidden parts. */
  readonly content: readonly (TrafficRule | string)[];
}

/** The content as a text: equal for programs with the same content. */
export const contentOf = ({ content }: Program): string =>
  JSON.stringify(content.map((part) => (typeof part === 'string' ? part : [part.phase, part.content])));

/** Lets everybody in. */
export const EMPTY_PROGRAM: Program = { steps: [], content: [] };

/** The assumptions about documents. */
export interface DocumentAssumptions {
  readonly phases: readonly string[];
  readonly terminalActions: readonly string[];
}

/** The effects of a document's rules. Rules of phases that decide nothing or never run are omitted. */
export function programOf(
  rules: readonly TrafficRule[],
  conditions: Conditions,
  assumptions: DocumentAssumptions,
): Program {
  const phases = new Map<string, Step[]>();
  const runs = new Map<string, Formula>();
  const content: TrafficRule[] = [];
  for (const { phase } of rules) if (!runs.has(phase)) runs.set(phase, whenRun(phase, assumptions));
  const running = rules.filter(({ phase }) => runs.get(phase) !== NEVER);
  const places = placesOf(running, conditions);
  for (const [index, rule] of running.entries()) {
    const [isRun = ALWAYS, place = '@0'] = [runs.get(rule.phase), places[index]];
    const steps = stepsOf(rule, { conditions, isRun, place, assumptions });
    if (steps.length === 0) continue;
    const before = phases.get(rule.phase);
    if (before) for (const step of steps) before.push(step);
    else phases.set(rule.phase, steps);
    content.push(rule);
  }
  return { steps: inAnyOrder(phases), content };
}

/**
 * The place of every rule: its phase, and the rules with an unknown effect that may run before it, as these may set what it asks
 * for. Of other phases that is all of them.
 */
function placesOf(rules: readonly TrafficRule[], conditions: Conditions): Place[] {
  const sofar = new Map<string, Place>();
  const earlier = rules.map((rule) => {
    const before = sofar.get(rule.phase);
    const unknown = rule.actions.filter((action) => !isLog(action) && !refusedBy(action));
    const content = rule.isStrange ? rule.content : unknown.map((action) => action.content);
    if (content.length > 0) sofar.set(rule.phase, conditions.place(before, rule.expressions, content));
    return before;
  });
  const elsewhere = new Map<string, Place>();
  const all = [...sofar].sort();
  const others = (phase: string) => all.filter(([other]) => other !== phase);
  return rules.map(({ phase }, index) => {
    const place = elsewhere.get(phase) ?? conditions.place(all.length > 2 ? all : others(phase));
    elsewhere.set(phase, place);
    return conditions.place(phase, earlier[index], place);
  });
}

const isLog = ({ type, isStrange }: TrafficAction): boolean => type === 'log' && !isStrange;

function whenRun(phase: string, { phases }: DocumentAssumptions): Formula {
  const role = roleOfPhase(phase, phases);
  if (role === 'decides') return ALWAYS;
  return role === 'unknown' ? whenIs(`phase ${phase}`, 'runs') : NEVER;
}

interface RuleContext {
  readonly conditions: Conditions;
  readonly isRun: Formula;
  readonly place: Place;
  readonly assumptions: DocumentAssumptions;
}

function stepsOf(rule: TrafficRule, { conditions, isRun, place, assumptions }: RuleContext): Step[] {
  const holds = conditions.whenAll(rule.expressions, place);
  const when = isRun === ALWAYS ? holds : allOf([isRun, holds]);
  if (when === NEVER) return [];
  // An unknown part of a rule may be one more condition, or anything else.
  if (rule.isStrange)
    return [{ kind: 'unknown', when: ALWAYS, name: `rule of ${rule.phase}: ${rule.content}` }];
  const steps: Step[] = [];
  for (const action of rule.actions) {
    if (isLog(action)) continue;
    steps.push(stepOf({ rule, action, phase: isRun === ALWAYS ? '' : rule.phase }, when));
    if (assumptions.terminalActions.includes(action.type) && surelyActs(action)) break;
  }
  return steps;
}

function stepOf(source: StepSource, when: Formula): Step {
  const { rule, action } = source;
  const refused = refusedBy(action);
  if (refused) return { kind: 'refuse', when, set: refused, source };
  return { kind: 'unknown', when, name: `action of ${rule.phase}: ${action.content}` };
}

/** The addresses that an action refuses; undefined if its effect is unknown. */
function refusedBy({ type, config, isStrange }: TrafficAction): CidrSet | undefined {
  if (isStrange) return undefined;
  if (type === 'restrict-ips') return refusedByRestriction(config);
  return type === 'deny' && hasKnownSettings(config) ? everything : undefined;
}

/** An unknown member or setting may be a condition, under which the actions that follow count. */
const surelyActs = ({ type, config, isStrange }: TrafficAction): boolean =>
  !isStrange && (type !== 'deny' || hasKnownSettings(config));

/** How a refusal is worded does not matter; any other setting may be a condition. */
const hasKnownSettings = (config: unknown): boolean =>
  config === undefined || (isObject(config) && Object.keys(config).every((key) => key === 'status_code'));

/**
 * The order of two phases is not known. It only matters if a step may let somebody in for good: then the first phase is placed
 * both before and after the second, and a variable says which of the two counts.
 */
function inAnyOrder(phases: ReadonlyMap<string, readonly Step[]>): Step[] {
  const [first, second, ...others] = [...phases].sort(([left], [right]) => (left < right ? -1 : 1));
  if (!first) return [];
  if (!second) return [...first[1]];
  const all = [...phases.values()].flat();
  if (all.every((step) => step.kind === 'refuse')) return all;
  if (others.length > 0) {
    // With three or more of them, only equal documents are compared.
    return [{ kind: 'unknown', when: ALWAYS, name: `phases ${JSON.stringify(all.map(textOf))}` }];
  }
  const order = `order of ${first[0]} and ${second[0]}`;
  const gated = (when: Formula) => first[1].map((step) => ({ ...step, when: allOf([when, step.when]) }));
  return [...gated(whenIs(order, 'first')), ...second[1], ...gated(whenIsNot(order, 'first'))];
}

/** Equal for steps with the same effect under the same condition. */
export function textOf(step: Step): string {
  if (step.kind === 'unknown') return step.name;
  const { phase, rule, action } = step.source ?? {};
  return JSON.stringify([phase, rule?.expressions, action?.content]);
}
