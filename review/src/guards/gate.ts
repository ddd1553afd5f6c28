import {
  DocumentError,
  objectOf,
  oneOf,
  optional,
  toggle,
  wholeNumberFrom,
} from 'pulumi-edge-policy/internal/values/decoding';
import { IP_MODELS, type IpModel } from '../access/evaluation-model';
import { DUPLICATE_NETWORKS, type DuplicateNetworks } from '../findings/assumptions';
import { SEVERITIES, type Severity } from '../findings/severity';
import { USER_AGENT_MODELS, type UserAgentModel } from '../user-agents/user-agent-model';
import { allRequirements, requirements, type Requirements } from './requirements';

/** The threshold of the gate; with `never` every finding passes, but not a change that is not decidable. */
export type FailOn = Severity | 'never';

/** Every threshold, the strictest last. */
export const THRESHOLDS: readonly FailOn[] = ['never', ...SEVERITIES];

export const DEFAULT_FAIL_ON: FailOn = 'high';

/** What an assertion file says of the gate itself, so that the next review sees it change. */
export interface Gate {
  readonly failOn?: FailOn;
  /** Whether any gain of access is refused, whatever the threshold. */
  readonly noNewAccess?: boolean;
  /** The threshold for gains that the publisher of a pinned feed confirms; the same one if absent. */
  readonly confirmedFeeds?: FailOn;
  readonly ipModel?: IpModel;
  readonly userAgentModel?: UserAgentModel;
  readonly duplicateNetworks?: DuplicateNetworks;
  /** The most clients of a log that may lose access by one policy, edge or route. */
  readonly maxRefusedClients?: number;
  readonly requires?: Requirements;
}

export const MODEL_KEYS = [...(['ipModel', 'userAgentModel', 'duplicateNetworks'] as const)];

export const gate = objectOf<Gate>({
  failOn: optional(oneOf(THRESHOLDS)),
  noNewAccess: optional(toggle),
  confirmedFeeds: optional(oneOf(THRESHOLDS)),
  maxRefusedClients: optional(wholeNumberFrom(0)),
  requires: optional(requirements),
  ipModel: optional(oneOf(IP_MODELS)),
  userAgentModel: optional(oneOf(USER_AGENT_MODELS)),
  duplicateNetworks: optional(oneOf(DUPLICATE_NETWORKS)),
});

/** The strictest threshold and limit, and every demand. Throws a DocumentError if two name different models. */
export function mergeGates(gates: readonly Gate[]): Gate {
  const asked = gates.flatMap(({ requires }) => requires ?? []);
  const limits = gates.flatMap(({ maxRefusedClients }) => maxRefusedClients ?? []);
  const failOn = strictestOf(gates.map((each) => each.failOn));
  const confirmedFeeds = strictestOf(gates.map((each) => each.confirmedFeeds));
  return {
    ...gates.reduce(mergeModels, {}),
    ...(failOn && { failOn }),
    ...(confirmedFeeds && { confirmedFeeds }),
    ...(gates.some(({ noNewAccess }) => noNewAccess === true) && { noNewAccess: true }),
    ...(limits.length > 0 && { maxRefusedClients: Math.min(...limits) }),
    ...(asked.length > 0 && { requires: allRequirements(asked) }),
  };
}

const strictestOf = (thresholds: readonly (FailOn | undefined)[]): FailOn | undefined =>
  THRESHOLDS.findLast((threshold) => thresholds.includes(threshold));

function mergeModels(left: Gate, right: Gate): Gate {
  for (const key of MODEL_KEYS) {
    const [one, other] = [left[key], right[key]];
    if (one !== undefined && other !== undefined && one !== other) {
      throw new DocumentError(
        `${key} is ${one} in one place and ${other} in another: set it in one place only.`,
      );
    }
  }
  return { ...left, ...partOf(right, true) };
}

const partOf = (given: Gate, isModel: boolean): Gate =>
  Object.fromEntries(
    Object.entries(given).filter(([key]) => MODEL_KEYS.some((name) => name === key) === isModel),
  );

export interface AskedGate {
  readonly failOn?: FailOn;
  readonly noNewAccess: boolean;
  readonly models: Gate;
}

export interface GateInForce extends Omit<Gate, (typeof MODEL_KEYS)[number]> {
  readonly failOn: FailOn;
}

/** The stricter of base and change counts, and models are the base's. Throws a DocumentError if the caller and the base contradict. */
export function gateInForce(
  { base, change }: { readonly base: Gate; readonly change: Gate },
  { models, ...asked }: AskedGate,
): { readonly gate: GateInForce; readonly models: Gate } {
  const implied = asked.failOn === undefined ? { failOn: DEFAULT_FAIL_ON } : {};
  const merged = mergeGates([
    { ...implied, ...base },
    { ...implied, ...partOf(change, false) },
    { ...models, ...asked },
  ]);
  const { failOn = DEFAULT_FAIL_ON, confirmedFeeds } = merged;
  // A change that names it first loosens nothing.
  const strictest = base.confirmedFeeds
    ? confirmedFeeds
    : confirmedFeeds && strictestOf([confirmedFeeds, failOn]);
  const gate = { ...partOf(merged, false), failOn, ...(strictest && { confirmedFeeds: strictest }) };
  return { gate, models: partOf(merged, true) };
}
