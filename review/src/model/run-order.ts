// In which order a run takes its steps, as far as a preview shows it. What is declared waits for what it needs. What leaves is deleted
// after all that, in layers: first what has the longest chain of needs that leave as well (`ScheduleDeletes` in the engine's
// step_generator.go). With `--continue-on-error`, deletes begin even if something has failed: that is not considered here.
import { type EndedState, endedStates } from '../preview/fate';
import type { PreviewStep } from '../preview/preview-step';

export type RunStep = string;

export const making = (urn: string): RunStep => `make ${urn}`;
const ending = (urn: string, id = ''): RunStep => `end ${id} ${urn}`;

interface Ending extends EndedState {
  readonly step: RunStep;
}

export class RunOrder {
  readonly needs: ReadonlyMap<string, readonly string[]>;
  /** The step that ends an object, by each URN that the preview has for it: a renamed one has two. */
  private readonly endings: ReadonlyMap<string, RunStep>;
  /** What a step waits for, but for the deletes at the end. */
  private readonly waits: ReadonlyMap<RunStep, readonly RunStep[]>;
  private readonly layers: ReadonlyMap<RunStep, number>;

  constructor(steps: readonly PreviewStep[]) {
    this.needs = new Map(steps.flatMap(({ urn, new: wanted }) => (wanted ? [[urn.text, wanted.needs]] : [])));
    const ended = endedStates(steps).map((of): Ending => ({
      ...of,
      step: ending(of.state.urn, of.state.id),
    }));
    this.endings = new Map(ended.map(({ urn, state, step }) => [ending(urn, state.id), step]));
    const isFirst = ({ state }: Ending): boolean => state.isDeletedFirst;
    this.waits = this.waitsOf(ended.filter(isFirst));
    const last = ended.filter((of) => !isFirst(of));
    // No preview shows the providers that the engine makes by itself; it ends them with the last that needs them.
    const there = new Set([
      ...steps.flatMap(({ urn, old }) => [urn.text, old?.urn]),
      ...[...this.needs.values()].flat(),
    ]);
    const hidden = new Set(last.flatMap(({ state }) => state.needs).filter((urn) => !there.has(urn)));
    this.layers = layersOf([
      ...last.map(({ step, state: { urn, needs } }) => ({ step, urn, needs })),
      ...[...hidden].map((urn) => ({ step: ending(urn), urn, needs: [] })),
    ]);
  }

  deletes(urn: string, id: string | undefined): RunStep {
    const step = ending(urn, id);
    return this.endings.get(step) ?? step;
  }

  /** Of the deletes that follow everything declared, the layer: the highest come first. Undefined for any other step. */
  layerOf(step: RunStep): number | undefined {
    return this.layers.get(step);
  }

  /** The steps that are done at every moment at which this one is, itself included; of one with a layer, itself alone. */
  doneWith(step: RunStep): ReadonlySet<RunStep> {
    const all = new Set<RunStep>();
    const next = [step];
    for (let each = next.pop(); each !== undefined; each = next.pop()) {
      if (all.has(each)) continue;
      all.add(each);
      next.push(...(this.waits.get(each) ?? []));
    }
    return all;
  }

  private waitsOf(first: readonly Ending[]): ReadonlyMap<RunStep, readonly RunStep[]> {
    const ofResource = new Map(first.map(({ urn, step }) => [urn, step]));
    const waits = new Map<RunStep, readonly RunStep[]>();
    for (const [urn, needs] of this.needs) {
      const made = needs.map(making);
      const old = ofResource.get(urn);
      waits.set(making(urn), old === undefined ? made : [...made, old]);
      if (old !== undefined) waits.set(old, made);
    }
    // What depends on an object that is deleted first may be deleted with it, before its own turn.
    const urns = new Set(first.map(({ state }) => state.urn));
    for (const { step, state } of first) if (state.needs.some((urn) => urns.has(urn))) waits.delete(step);
    return waits;
  }
}

interface Leaving {
  readonly step: RunStep;
  readonly urn: string;
  readonly needs: readonly string[];
}

function layersOf(leaving: readonly Leaving[]): ReadonlyMap<RunStep, number> {
  const layers = new Map<RunStep, number>();
  let left = leaving;
  for (let layer = 0; left.length > 0; layer += 1) {
    const urns = new Set(left.map(({ urn }) => urn));
    const isFree = ({ needs }: Leaving): boolean => !needs.some((urn) => urns.has(urn));
    const rest = left.filter((each) => !isFree(each));
    // No engine has such a state.
    if (rest.length === left.length) break;
    for (const each of left) if (isFree(each)) layers.set(each.step, layer);
    left = rest;
  }
  return layers;
}
