import { type CidrSet, everything } from '../access/cidr-set';
import type { Conditions, Place } from './condition';
import { allOf, ALWAYS, type Formula, NEVER, whenIs } from './formula';
import { roleOfPhase, type TrafficAction, type TrafficRule } from './traffic-rules';
import { refusedByRestriction } from './client-address';
import { isObject } from '../preview/json-reading';

export type ProgramStep =
  /** Refuses the addresses of a set, if a condition holds. */
  | { readonly kind: 'refuse'; readonly when: Formula; readonly set: CidrSet; readonly source?: StepSource }
  /** Has an unknown effect: the variable says whether it `refuses`, `admits`, or goes on. */
  | { readonly kind: 'unknown'; readonly when: Formula; readonly name: string; readonly rule?: TrafficRule };

/** An action of a rule, and its phase if the phase may not run. */
interface StepSource {
  readonly phase: string;
  readonly rule: TrafficRule;
  readonly action: TrafficAction;
}

export interface Program {
  readonly steps: readonly ProgramStep[];
  /** A comparable form, understood or not: its rules, and names of hidden parts. */
  readonly content: readonly (TrafficRule | string)[];
}

/** The content as a text: equal for programs with the same content. */
export const contentOf = ({ content }: Pick<Program, 'content'>): string =>
  JSON.stringify(content.map((part) => (typeof part === 'string' ? part : [part.phase, part.content])));

export const EMPTY_PROGRAM: Program = { steps: [], content: [] };

export interface DocumentAssumptions {
  readonly phases: readonly string[];
}

/** The effects of a document's rules. Rules of phases that decide nothing or never run are omitted. */
export function programOf(
  rules: readonly TrafficRule[],
  conditions: Conditions,
  assumptions: DocumentAssumptions,
): Program {
  const phases = new Map<string, Phase>();
  const content: TrafficRule[] = [];
  for (const rule of rules) {
    const { phase: name } = rule;
    const phase = phases.get(name) ?? {
      isRun: whenRun(name, assumptions),
      place: conditions.place(name),
      steps: [],
    };
    phases.set(name, phase);
    const steps = stepsOf(rule, phase, conditions);
    if (steps.length > 0) content.push(rule);
    phase.steps.push(...steps);
    if (steps.some(({ kind }) => kind === 'unknown'))
      phase.place = conditions.place(phase.place, rule.content);
  }
  const all = [...phases.values()].flatMap(({ steps }) => steps);
  const isOrdered =
    new Set(content.map(({ phase }) => phase)).size < 2 || all.every(({ kind }) => kind === 'refuse');
  // The order of phases is not known. It only matters if a step may let somebody in for good.
  if (isOrdered) return { steps: all, content };
  return { steps: [{ kind: 'unknown', when: ALWAYS, name: `phases ${contentOf({ content })}` }], content };
}

interface Phase {
  readonly isRun: Formula;
  readonly steps: ProgramStep[];
  /** Of the next rule: behind those with an unknown effect, which may set what it asks for. */
  place: Place;
}

function whenRun(phase: string, { phases }: DocumentAssumptions): Formula {
  const role = roleOfPhase(phase, phases);
  if (role === 'decides') return ALWAYS;
  return role === 'unknown' ? whenIs(`phase ${phase}`, 'runs') : NEVER;
}

function stepsOf(rule: TrafficRule, { isRun, place }: Phase, conditions: Conditions): ProgramStep[] {
  if (isRun === NEVER) return [];
  const holds = conditions.whenAll(rule.expressions, place);
  const when = isRun === ALWAYS ? holds : allOf([isRun, holds]);
  if (when === NEVER) return [];
  // An unknown part of a rule may be one more condition, or anything else.
  if (rule.isStrange)
    return [{ kind: 'unknown', when: ALWAYS, name: `rule of ${rule.phase}: ${rule.content}`, rule }];
  const steps: ProgramStep[] = [];
  for (const action of rule.actions) {
    if (action.type === 'log' && !action.isStrange) continue;
    const step = stepOf({ rule, action, phase: isRun === ALWAYS ? '' : rule.phase }, when);
    steps.push(step);
    if (step.kind === 'refuse' && step.set === everything) break;
  }
  return steps;
}

function stepOf(source: StepSource, when: Formula): ProgramStep {
  const { rule, action } = source;
  const refused = refusedBy(action);
  if (refused) return { kind: 'refuse', when, set: refused, source };
  return { kind: 'unknown', when, name: `action of ${rule.phase}: ${action.content}`, rule };
}

/** The addresses that an action refuses; undefined if its effect is unknown. */
function refusedBy({ type, config, isStrange }: TrafficAction): CidrSet | undefined {
  if (isStrange) return undefined;
  if (type === 'restrict-ips') return refusedByRestriction(config);
  return type === 'deny' && hasKnownSettings(config) ? everything : undefined;
}

/** How a refusal is worded does not matter; any other setting may be a condition. */
const hasKnownSettings = (config: unknown): boolean =>
  config === undefined || (isObject(config) && Object.keys(config).every((key) => key === 'status_code'));

export function textOf(step: ProgramStep): string {
  if (step.kind === 'unknown') return step.name;
  const { phase, rule, action } = step.source ?? {};
  return JSON.stringify([phase, rule?.expressions, action?.content]);
}
