import { isWellFormed, type ParentKind, parentKinds } from '../identifiers';
import type { Change } from './changes';
import { RuleStore } from './rule-store';

/** Everything in one account. It changes by `commit` alone, which also notifies the recorder. */
export class AccountStore {
  readonly rules = new RuleStore();
  private readonly modulesByName = new Map<string, Map<string, object>>();
  private readonly parentsByKind = new Map(parentKinds.map((kind) => [kind, new Set<string>()]));

  constructor(
    readonly name: string,
    private readonly record: (account: string, change: Change) => void,
  ) {}

  /** The modules of the kind with this name, by the identifiers of their parents. */
  modules(name: string): ReadonlyMap<string, object> {
    return this.modulesByName.get(name) ?? new Map();
  }

  parents(kind: ParentKind): ReadonlySet<string> {
    return this.parentsByKind.get(kind) ?? new Set();
  }

  commit(change: Change): void {
    // Recorded first: a change that could not be stored must not be answered as done.
    this.record(this.name, change);
    this.apply(change);
  }

  apply(change: Change): void {
    switch (change.op) {
      case 'put-rule':
        this.rules.put(change.rule);
        break;
      case 'delete-rule':
        this.rules.delete(change.id);
        break;
      case 'put-module': {
        const modules = this.modulesByName.get(change.name) ?? new Map<string, object>();
        this.modulesByName.set(change.name, modules.set(change.id, change.module));
        break;
      }
      case 'delete-module':
        this.modulesByName.get(change.name)?.delete(change.id);
        break;
      case 'add-parent':
        this.parentsByKind.get(change.kind)?.add(change.id);
    }
  }

  /** The shortest list of changes from an empty account to this state. */
  *changes(): Generator<Change> {
    for (const [kind, ids] of this.parentsByKind) {
      for (const id of ids) yield { op: 'add-parent', kind, id };
    }
    for (const rule of this.rules.all()) yield { op: 'put-rule', rule };
    for (const [name, modules] of this.modulesByName) {
      for (const [id, module] of modules) yield { op: 'put-module', name, id, module };
    }
  }

  hasParent(kind: ParentKind, id: string, parents: 'any' | 'seeded'): boolean {
    return parents === 'any' ? isWellFormed(kind, id) : this.parents(kind).has(id);
  }
}
