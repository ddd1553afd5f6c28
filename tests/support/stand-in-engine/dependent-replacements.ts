import { UNKNOWN } from '../../../provider/src/values/unknowns';
import type { Entry } from './entry';
import type { EngineRun } from './run';

/**
 * The resources that must be deleted before a resource that is replaced: those that depend on it by an input, directly or not,
 * and would be replaced if that input changed. The provider is asked by a diff without a check before it
 * (`calculateDependentReplacements`).
 */
export async function dependentReplacements(run: EngineRun, root: Entry): Promise<Entry[]> {
  const replaced = new Set([root.name]);
  const dependents: Entry[] = [];
  for (const entry of run.file.untouched) {
    if (entry === root || entry.isPendingReplacement === true) continue;
    const unknown = Object.entries(entry.propertyDependsOn ?? {})
      .filter(([, names]) => names.some((name) => replaced.has(name)))
      .map(([property]) => property);
    if (unknown.length === 0) continue;
    const inputs = {
      ...entry.inputs,
      ...Object.fromEntries(
        unknown.filter((property) => property in entry.inputs).map((property) => [property, UNKNOWN]),
      ),
    };
    const { replaces } = await run.rpc(entry, (provider) => provider.diff(entry.id, entry.outputs, inputs));
    if (replaces.length === 0) continue;
    replaced.add(entry.name);
    dependents.push(entry);
  }
  return dependents;
}
