import type { EmptyPolicyChoice, IpModel } from '../access/evaluation-model';
import { EMPTY_POLICY_CHOICES, IP_MODELS } from '../access/evaluation-model';
import type { Severity } from '../findings/severity';
import { SEVERITIES } from '../findings/severity';
import type { JsonObject } from '../preview/json-reading';
import type { UserAgentModel } from '../user-agents/user-agent-model';
import { USER_AGENT_MODELS } from '../user-agents/user-agent-model';
import { AssertionFileError, checkKeys, choiceOf, objectOf, textsOf, wholeNumberOf } from './decoding';
import { bothRequirements, decodeRequirements, type Requirements } from './requirements';

/** The threshold of the gate; with `never` every finding passes, but not an undecidable change. */
export type FailOn = Severity | 'never';

/** Every threshold, the strictest last. */
export const THRESHOLDS: readonly FailOn[] = ['never', ...SEVERITIES];

/** The default threshold. */
export const DEFAULT_FAIL_ON: FailOn = 'high';

/** What an assertion file says of the gate itself, so that the next review sees it change. */
export interface Gate {
  readonly failOn?: FailOn;
  readonly noNewAccess?: boolean;
  readonly ipModel?: IpModel;
  readonly emptyPolicy?: EmptyPolicyChoice;
  readonly userAgentModel?: UserAgentModel;
  readonly terminalActions?: readonly string[];
  /** The most rules that one set may have. */
  readonly maxRules?: number;
  /** What new and changed rules must say. */
  readonly requires?: Requirements;
}

const KEYS = [
  ...['failOn', 'noNewAccess', 'maxRules', 'requires'],
  ...['ipModel', 'emptyPolicy', 'userAgentModel', 'terminalActions'],
];

/** Decodes the gate of an assertion file; without the key it is empty. */
export function decodeGate(value: unknown, place: string): Gate {
  if (value === undefined) return {};
  const entry = objectOf(value, place);
  checkKeys(entry, KEYS, place);
  return defined({
    failOn: choiceOf(entry, 'failOn', { choices: THRESHOLDS, place }),
    noNewAccess: switchOf(entry, 'noNewAccess', place),
    ipModel: choiceOf(entry, 'ipModel', { choices: IP_MODELS, place }),
    emptyPolicy: choiceOf(entry, 'emptyPolicy', { choices: EMPTY_POLICY_CHOICES, place }),
    userAgentModel: choiceOf(entry, 'userAgentModel', { choices: USER_AGENT_MODELS, place }),
    terminalActions: textsOf(entry, 'terminalActions', place),
    maxRules: wholeNumberOf(entry, 'maxRules', place),
    requires: decodeRequirements(entry['requires'], `${place}.requires`),
  });
}

function switchOf(entry: JsonObject, key: string, place: string): boolean | undefined {
  const value = entry[key];
  if (value !== undefined && typeof value !== 'boolean')
    throw new AssertionFileError(`${place}.${key} must be true or false.`);
  return value;
}

/** The smallest of several limits; undefined if there is none. */
const least = (limits: readonly (number | undefined)[]): number | undefined =>
  limits.reduce((one, other) => (one === undefined ? other : Math.min(one, other ?? one)), undefined);

/** The strictest of several thresholds; undefined if there is none. */
const strictest = (thresholds: readonly (FailOn | undefined)[]): FailOn | undefined =>
  THRESHOLDS.findLast((threshold) => thresholds.includes(threshold));

/** Merges the gates of several files: the strictest threshold counts, and models must not contradict. */
export function mergeGates(gates: readonly Gate[]): Gate {
  const failOn = strictest(gates.map((gate) => gate.failOn));
  return defined({
    ...gates.reduce<Gate>(mergeModels, {}),
    failOn,
    noNewAccess: gates.some((gate) => gate.noNewAccess === true) || undefined,
    maxRules: least(gates.map((gate) => gate.maxRules)),
    requires: gates.reduce<Requirements | undefined>(
      (all, gate) => bothRequirements(all, gate.requires),
      undefined,
    ),
  });
}

/** The assumptions of a review, by their names in the gate. */
export const MODEL_KEYS = ['ipModel', 'emptyPolicy', 'userAgentModel', 'terminalActions'] as const;

/** The models that a gate names. */
const modelsOf = ({
  failOn: _threshold,
  noNewAccess: _switch,
  maxRules: _limit,
  requires: _requirements,
  ...models
}: Gate): Gate => models;

/** @throws AssertionFileError if both name a model, and not the same value. */
function mergeModels(left: Gate, right: Gate): Gate {
  for (const key of MODEL_KEYS) {
    if (left[key] !== undefined && right[key] !== undefined && !isSame(left[key], right[key])) {
      throw new AssertionFileError(
        `${key} is ${String(left[key])} in one place and ${String(right[key])} in another: set it in one place only.`,
      );
    }
  }
  return { ...left, ...right };
}

/** The gate that the caller of a review asks for. */
export interface AskedGate {
  readonly failOn?: FailOn;
  readonly noNewAccess: boolean;
  readonly models: Gate;
}

/** The gate by which a change is judged. */
export interface GateInForce extends AskedGate {
  readonly failOn: FailOn;
  readonly maxRules?: number;
  readonly requires?: Requirements;
}

/**
 * The gate of a change: the stricter of base and change counts, and models are the base's. If neither the caller nor a file
 * names a threshold, the default applies.
 *
 * @throws AssertionFileError if the caller and the base contradict.
 */
export function gateInForce(
  { base, change }: { readonly base: Gate; readonly change: Gate },
  { failOn, noNewAccess, models }: AskedGate,
): GateInForce {
  const thresholdOf = (gate: Gate): FailOn | undefined =>
    gate.failOn ?? (failOn === undefined ? DEFAULT_FAIL_ON : undefined);
  const maxRules = least([base.maxRules, change.maxRules]);
  const requires = bothRequirements(base.requires, change.requires);
  return {
    failOn: strictest([failOn, thresholdOf(base), thresholdOf(change)]) ?? DEFAULT_FAIL_ON,
    noNewAccess: [noNewAccess, base.noNewAccess, change.noNewAccess].includes(true),
    models: mergeModels(modelsOf(base), models),
    ...(maxRules !== undefined && { maxRules }),
    ...(requires && { requires }),
  };
}

/** Whether two values of a model are the same. */
const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Omits absent keys, as the compiler distinguishes them from undefined ones. */
const defined = (gate: Optional<Gate>): Gate =>
  Object.fromEntries(Object.entries(gate).filter(([, value]) => value !== undefined));
