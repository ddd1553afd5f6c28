import { isUnknown } from 'pulumi-edge-policy/internal/values/unknowns';
import { MODULE_TYPES } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { RULE_TEXTS, ruleFields } from 'pulumi-edge-policy/internal/rule/rule';
import type { JsonObject } from '../preview/json-reading';
import type { StepState } from '../preview/preview-step';
import { isModuleType, type ResourceType } from '../preview/resource-type';
import { isShown } from './known';
import { contentFields, identityFields } from './read-modules';

export interface SideInputs {
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

/** The parts of a live object: outputs with these names are what is live. */
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

export const declaredInputs = (state: Partial<SideInputs> | undefined): SideInputs | undefined =>
  state?.inputs && { inputs: state.inputs, outputs: state.outputs ?? {} };

/** The values of the last read or write, else the inputs: they differ after an import, a refresh or a partial change. */
export function liveInputs(state: Partial<SideInputs> | undefined): SideInputs | undefined {
  const declared = declaredInputs(state);
  if (!declared) return undefined;
  const { inputs, outputs } = declared;
  const live = LIVE.filter((name) => inputs[name] !== outputs[name] && isReadable(outputs[name]));
  if (live.length === 0) return declared;
  return { inputs: { ...inputs, ...Object.fromEntries(live.map((name) => [name, outputs[name]])) }, outputs };
}

/** Both sides of an unchanged resource as it is live; a value that only the old side hides is taken from the program. */
export const clearestInputs =
  (
    old: StepState | undefined,
    wanted: StepState | undefined,
  ): ((state: StepState | undefined) => SideInputs | undefined) =>
  (state) => {
    const live = liveInputs(state && { ...state, ...(old?.outputs && { outputs: old.outputs }) });
    const other = state === old ? wanted?.inputs : undefined;
    const revealed = LIVE.filter(
      (name) => live && !isReadable(live.inputs[name]) && isReadable(other?.[name]),
    );
    if (!live || revealed.length === 0) return live;
    return {
      ...live,
      inputs: { ...live.inputs, ...Object.fromEntries(revealed.map((name) => [name, other?.[name]])) },
    };
  };

/** The content of an object that is only looked up, as the last run has read it. The id of a set or module says what it is about. */
export function lookedUpInputs(
  type: ResourceType,
  id: string | undefined,
  read: JsonObject = {},
): SideInputs {
  const names = isModuleType(type) ? identityFields(type) : type === 'IpPolicyRuleSet' ? ['ipPolicyId'] : [];
  const parts = id === undefined || isUnknown(id) ? [] : id.split('/');
  const byId = Object.fromEntries(
    names.flatMap((name, at) => (parts[at] === undefined ? [] : [[name, parts[at]]])),
  );
  return { inputs: { ...byId, ...read }, outputs: read };
}

/** A hidden part of a list hides all of it. */
const isReadable = (value: unknown): boolean =>
  value !== undefined && value !== null && (Array.isArray(value) ? value.every(isReadable) : isShown(value));
