import { resourceTypeOf } from '../model/origin';
import type { PreviewStep } from './preview-step';

/** How many resources a review has not looked at, as they belong to other packages. */
export interface OtherResources {
  readonly all: number;
  readonly changed: number;
}

/** The stack itself, its providers and assertions give nobody access. */
const OWN_TYPE = /^(?:pulumi:pulumi:Stack$|pulumi:providers:|edge-policy:index:)/;
const SEES_ONLY = new Set(['refresh', 'read', 'read-replacement', 'read-discard', 'discard']);

/** Counts the resources of other packages, each once. */
export function countOtherResources(steps: readonly PreviewStep[]): OtherResources {
  const all = new Set<string>();
  const changed = new Set<string>();
  for (const { op, type, urn } of steps) {
    if (resourceTypeOf(type) || OWN_TYPE.test(type) || SEES_ONLY.has(op)) continue;
    all.add(urn.text);
    if (op !== 'same') changed.add(urn.text);
  }
  return { all: all.size, changed: changed.size };
}
