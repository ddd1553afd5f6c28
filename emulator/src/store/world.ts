// What for: what is stored, by account.
// Must not know: requests and answers.
import { isWellFormed, type ParentKind, parentKinds } from '../identifiers';
import { RuleStore } from './rule-store';

/** Everything in one account. */
export class AccountStore {
  readonly rules = new RuleStore();
  private readonly modulesByName = new Map<string, Map<string, object>>();
  private readonly parentsByKind = new Map(parentKinds.map((kind) => [kind, new Set<string>()]));

  constructor(readonly name: string) {}

  /** The modules of the kind with this name, by the identifiers of their parents. */
  modules(name: string): Map<string, object> {
    const modules = this.modulesByName.get(name) ?? new Map<string, object>();
    this.modulesByName.set(name, modules);
    return modules;
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

/** The stores of all accounts. */
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
