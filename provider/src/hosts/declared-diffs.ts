import { PROVIDER_KEY } from '../fields/field';

/**
 * Tells diffs of what the program declares from those of a refresh. The engine checks a resource right before its diff, and
 * hands diff exactly what check returned. A refresh compares with old inputs and checks nothing. So a diff counts if a check of
 * this run has returned its news and no earlier diff has used that check up. A diff follows only a check with old inputs.
 */
export class DeclaredDiffs {
  private readonly checked = new Map<string, number>();
  private readonly creates = new Map<string, number>();

  /** @param resource Identifies the resource that is checked: its URN, or only its type. */
  noteCheck(resource: string, { olds, inputs }: { readonly olds: object; readonly inputs: object }): void {
    const counts = Object.keys(olds).length === 0 ? this.creates : this.checked;
    const key = keyOf(resource, inputs);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Whether the run creates exactly one resource with these inputs: the engine checks each once more before its create. */
  isOnlyCreate(resource: string, inputs: object): boolean {
    return this.creates.get(keyOf(resource, inputs)) === 1;
  }

  /** Whether a diff is about what the program declares. */
  use(resource: string, news: object): boolean {
    const key = keyOf(resource, news);
    const count = this.checked.get(key) ?? 0;
    if (count > 1) this.checked.set(key, count - 1);
    else this.checked.delete(key);
    return count > 0;
  }
}

/** Equal for equal inputs. The order of keys does not count, as the engine's wire has an order of its own. */
const keyOf = (resource: string, inputs: object): string =>
  JSON.stringify([
    resource,
    Object.entries(inputs)
      .filter(([name]) => name !== PROVIDER_KEY)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ]);
