// What for: what is stored, by account.
// Must not know: requests and answers.
import { isWellFormed, type ParentKind, parentKinds } from '../identifiers';
import { LONGEST_LAG_MS } from '../switches';
import { RuleStore } from './rule-store';

interface ModuleChange {
  readonly name: string;
  readonly id: string;
  readonly before: object | undefined;
  readonly atMs: number;
}

export class AccountStore {
  readonly rules = new RuleStore();
  private readonly modulesByName = new Map<string, Map<string, object>>();
  private readonly changesOfModules: ModuleChange[] = [];
  private readonly parentsByKind = new Map(parentKinds.map((kind) => [kind, new Set<string>()]));

  constructor(readonly name: string) {}

  /** The modules of the kind with this name, by the identifiers of their parents. */
  modules(name: string): Map<string, object> {
    const modules = this.modulesByName.get(name) ?? new Map<string, object>();
    this.modulesByName.set(name, modules);
    return modules;
  }

  /** Writes or deletes a module; returns whether there was one. */
  changeModule(name: string, id: string, change: { to: object | undefined; atMs: number }): boolean {
    const modules = this.modules(name);
    const before = modules.get(id);
    const { changesOfModules: changes } = this;
    while ((changes[0]?.atMs ?? Infinity) < change.atMs - LONGEST_LAG_MS) changes.shift();
    changes.push({ name, id, before, atMs: change.atMs });
    if (change.to === undefined) modules.delete(id);
    else modules.set(id, change.to);
    return before !== undefined;
  }

  /** A module as it was at a time that is not longer ago than the longest lag. */
  moduleAt(name: string, id: string, atMs: number): object | undefined {
    const later = this.changesOfModules.find(
      (each) => each.name === name && each.id === id && each.atMs > atMs,
    );
    return later === undefined ? this.modules(name).get(id) : later.before;
  }

  parents(kind: ParentKind): ReadonlySet<string> {
    return this.parentsByKind.get(kind) ?? new Set();
  }

  addParent(kind: ParentKind, id: string): void {
    this.parentsByKind.get(kind)?.add(id);
  }

  hasParent(kind: ParentKind, id: string, parents: 'any' | 'seeded'): boolean {
    return parents === 'any' ? isWellFormed(kind, id) : this.parents(kind).has(id);
  }
}

export class World {
  private readonly stores = new Map<string, AccountStore>();

  get accounts(): readonly AccountStore[] {
    return [...this.stores.values()];
  }

  account(name: string): AccountStore {
    const account = this.stores.get(name) ?? new AccountStore(name);
    this.stores.set(name, account);
    return account;
  }

  clear(): void {
    this.stores.clear();
  }
}
