import type { RuleStore } from './store/rule-store';
import type { Service } from './endpoint';
import { isWellFormed, type ParentKind, parentKinds, parentName, randomIdentifier } from './identifiers';
import { plainRule, type RuleWire } from './routes/ip-policy-rule-wire';
import {
  type ModuleContents,
  moduleKind,
  type ModuleName,
  moduleNames,
  type Modules,
} from './routes/modules';
import { editedTexts, type Rule, type RuleAction, type RuleTexts } from './store/stored-rule';
import type { AccountStore } from './store/world';
import type { Switches } from './switches';
import { formatNetwork, parseNetwork, withoutHostBits } from './values/cidr';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** A rule that is put into the service directly; absent parts are made up as the service would. */
export interface RuleSeed extends RuleTexts {
  readonly id?: string;
  readonly created_at?: string;
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: RuleAction;
}

/** A direct change of a rule; an empty text clears. */
export type RuleEdit = Partial<Omit<RuleSeed, 'id'>>;

/** The existing parents of rules and modules, by identifier. */
type Parents = Readonly<Record<ParentKind, readonly string[]>>;

/** Objects to add to an account. Routes are identified by `edgeId/routeId`. */
export interface Seed extends Partial<Parents & Modules> {
  readonly rules?: readonly RuleSeed[];
}

/** An account's state as plain JSON: its rules in the order of their creation, its modules, and the seeded parents. */
export interface AccountState extends Parents, Modules {
  readonly rules: readonly RuleWire[];
}

/**
 * Edits as another user of the account would make them. They bypass the HTTP interface and all checks of the service, so that
 * states can be made which the service would not allow.
 */
export class Remote {
  constructor(
    private readonly service: Service,
    private readonly accountNamed: (name: string | undefined) => AccountStore,
  ) {}

  createRule(seed: RuleSeed, account?: string): RuleWire {
    const { rules } = this.accountNamed(account);
    const id = seed.id ?? randomIdentifier('ipr');
    if (rules.get(id) !== undefined) throw new RangeError(`rule ${id} exists already`);
    const { cidr, action, ip_policy_id: policyId } = seed;
    const made = { id, createdAtMs: this.service.nowMs(), cidr, network: cidr, action, policyId };
    return this.put(rules, edited(made, seed));
  }

  updateRule(id: string, edit: RuleEdit, account?: string): RuleWire {
    const { rules } = this.accountNamed(account);
    const rule = rules.get(id);
    if (rule === undefined) throw new RangeError(`there is no rule ${id}`);
    return this.put(rules, edited(rule, edit));
  }

  private put(rules: RuleStore, rule: Rule): RuleWire {
    rules.put(rule);
    return plainRule(this.service.url, rule);
  }

  deleteRule(id: string, account?: string): void {
    this.accountNamed(account).rules.delete(id, this.service.nowMs());
  }

  /** The modules with this name: `tcpModules` by edges, `httpsModules` by `edgeId/routeId`. */
  modules<Name extends ModuleName>(name: Name, account?: string): RemoteModules<ModuleContents[Name]> {
    const store = this.accountNamed(account);
    const { parent, fields } = moduleKind(name);
    return {
      set(id, module) {
        requireWellFormed(parent, id);
        const known = Object.keys(fields).map((field) => [field, Reflect.get(module, field) as unknown]);
        store.modules(name).set(id, structuredClone(Object.fromEntries(known)) as object);
      },
      delete(id) {
        store.modules(name).delete(id);
      },
    };
  }
}

function edited(rule: Rule, edit: RuleEdit): Rule {
  const cidr = edit.cidr ?? rule.cidr;
  return {
    ...{ ...rule, cidr, network: networkOf(cidr) },
    policyId: edit.ip_policy_id ?? rule.policyId,
    action: edit.action ?? rule.action,
    createdAtMs: edit.created_at === undefined ? rule.createdAtMs : Date.parse(edit.created_at),
    ...editedTexts(rule, edit),
  };
}

/** Edits of the modules of one kind, by the identifiers of their parents. */
interface RemoteModules<Module extends object> {
  set(id: string, module: Module): void;
  delete(id: string): void;
}

/** Adds everything in the seed to the account; returns the rules as the service would show them. */
export function plant(seed: Seed, given: { remote: Remote; store: AccountStore }): RuleWire[] {
  const { remote, store } = given;
  for (const kind of parentKinds) addParents(store, kind, seed[kind]);
  for (const name of moduleNames) {
    const modules: Readonly<Record<string, ModuleContents[ModuleName]>> = seed[name] ?? {};
    for (const [id, module] of Object.entries(modules)) remote.modules(name, store.name).set(id, module);
  }
  return (seed.rules ?? []).map((rule) => remote.createRule(rule, store.name));
}

/** The seed that recreates this account. */
export function seedOf(store: AccountStore): Seed {
  const { rules, ...others } = stateOf(store, '', 'fraction');
  return {
    ...others,
    rules: rules.map(({ ip_policy, ...rule }) => ({ ...rule, ip_policy_id: ip_policy.id })),
  };
}

export function stateOf(store: AccountStore, url: string, timestamps?: Switches['timestamps']): AccountState {
  return {
    rules: Array.from(store.rules.all(), (rule) => plainRule(url, rule, timestamps)),
    ...(Object.fromEntries(
      moduleNames.map((name) => [name, structuredClone(Object.fromEntries(store.modules(name)))]),
    ) as Modules),
    ...(Object.fromEntries(parentKinds.map((kind) => [kind, [...store.parents(kind)] as const])) as Parents),
  };
}

function addParents(store: AccountStore, kind: ParentKind, ids: readonly string[] = []): void {
  for (const id of ids) {
    requireWellFormed(kind, id);
    store.addParent(kind, id);
  }
}

function requireWellFormed(kind: ParentKind, id: string): void {
  if (!isWellFormed(kind, id))
    throw new RangeError(`${JSON.stringify(id)} is not an identifier of a ${parentName(kind)}`);
}

function networkOf(cidr: string): string {
  const network = parseNetwork(cidr);
  return network === undefined ? cidr : formatNetwork(withoutHostBits(network));
}

/** Everything in the emulator, by account, in the form of seeds. */
export type Snapshot = Readonly<Record<string, Seed>>;

/** The snapshot in the file; empty if there is no file yet. */
export function readSnapshot(file: string): Snapshot {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as Snapshot;
  } catch (cause) {
    throw new Error(`data file ${file} is not a snapshot of an emulator`, { cause });
  }
}

/** Replaces the file atomically: a crash leaves the old one or the new one. */
export function writeSnapshot(file: string, snapshot: Snapshot): void {
  const draft = `${file}.new`;
  // Created exclusively, so that nothing planted there, such as a link to another file, is written through.
  rmSync(draft, { force: true });
  writeFileSync(draft, JSON.stringify(snapshot, null, 2), { flag: 'wx', mode: 0o600 });
  renameSync(draft, file);
}
