import { MODULE_TYPES } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { RULE_TEXTS, ruleFields } from 'pulumi-edge-policy/internal/rule/rule';
import type { JsonObject } from '../preview/json-reading';
import type { StepState } from '../preview/preview-step';
import { readKnown } from './known';
import { contentFields, identityFields } from './modules';

/** What a resource says on one side of a change. */
export interface SideInputs {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** What an object of the service consists of: outputs of these names are what is live. */
const LIVE: readonly string[] = [
  ...new Set([
    ...Object.keys(ruleFields).filter((name) => !(RULE_TEXTS as readonly string[]).includes(name)),
    'rules',
    ...MODULE_TYPES.flatMap((type) => [
      ...identityFields(type),
      ...contentFields(type).map(([name]) => name),
    ]),
  ]),
];

/** What the program asks for. */
export const declaredInputs = (state: StepState | undefined): SideInputs | undefined =>
  state?.inputs && { inputs: state.inputs, outputs: state.outputs ?? {} };

/**
 * What is live: what the last read or write of the object gave, and of the rest what was asked for. The two differ where an
 * import or a refresh found something else, or a change was applied in part.
 */
export function liveInputs(state: StepState | undefined): SideInputs | undefined {
  const declared = declaredInputs(state);
  if (!declared) return undefined;
  const { inputs, outputs } = declared;
  const live = LIVE.filter((name) => inputs[name] !== outputs[name] && isReadable(outputs[name]));
  if (live.length === 0) return declared;
  return { inputs: { ...inputs, ...Object.fromEntries(live.map((name) => [name, outputs[name]])) }, outputs };
}

/** Both sides of what the engine calls the same: of a value that one side hides, the other side tells. */
export function clearestInputs(
  old: StepState | undefined,
  wanted: StepState | undefined,
): (state: StepState | undefined) => SideInputs | undefined {
  return (state) => {
    const own = declaredInputs(state);
    const other = (state === old ? wanted : old)?.inputs;
    const revealed = LIVE.filter((name) => own && !isReadable(own.inputs[name]) && isReadable(other?.[name]));
    if (!own || revealed.length === 0) return own;
    return {
      ...own,
      inputs: { ...own.inputs, ...Object.fromEntries(revealed.map((name) => [name, other?.[name]])) },
    };
  };
}

/** A hidden part of a list hides all of it. */
const isReadable = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  (Array.isArray(value) ? value.every(isReadable) : readKnown(value, () => true).isKnown);
