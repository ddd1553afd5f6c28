import type { Service } from './endpoint';
import { isWellFormed, randomIdentifier, type ParentKind } from './identifiers';
import { plainRule, type RuleWire } from './routes/ip-policy-rule-wire';
import type { AccountStore } from './store/account-store';
import type {
  HttpsEdgeRouteUserAgentFilterModule,
  Rule,
  RuleAction,
  TcpEdgeTrafficPolicyModule,
} from './store/changes';
import { editedTexts, type RuleTexts } from './store/rule-texts';
import { formatNetwork, parseNetwork, withoutHostBits } from './values/cidr';

/** A rule put into the service directly; what is left out is made up as the service would. */
export interface RuleSeed extends RuleTexts {
  readonly id?: string;
  readonly created_at?: string;
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: RuleAction;
}

/** A change made to a rule directly; an empty text clears. */
export type RuleEdit = Partial<Omit<RuleSeed, 'id'>>;

/** What an account is to hold beside what it holds already. Routes are named `edgeId/routeId`. */
export interface Seed {
  readonly policies?: readonly string[];
  readonly tcpEdges?: readonly string[];
  readonly routes?: readonly string[];
  readonly rules?: readonly RuleSeed[];
  readonly tcpModules?: Readonly<Record<string, TcpEdgeTrafficPolicyModule>>;
  readonly httpsModules?: Readonly<Record<string, HttpsEdgeRouteUserAgentFilterModule>>;
}

/** An account's state as plain JSON. Rules are in the order of their creation. */
export interface AccountState {
  readonly rules: readonly RuleWire[];
  readonly tcpModules: Readonly<Record<string, TcpEdgeTrafficPolicyModule>>;
  readonly httpsModules: Readonly<Record<string, HttpsEdgeRouteUserAgentFilterModule>>;
  readonly policies: readonly string[];
  /** The seeded TCP edges. */
  readonly edges: readonly string[];
  readonly routes: readonly string[];
}

/**
 * Edits as another user of the account would make them, past the HTTP interface: no check of the service applies,
 * so that states can be made which it would not let anyone make.
 */
export class Remote {
  constructor(
    private readonly service: Service,
    private readonly accountNamed: (name: string | undefined) => AccountStore,
  ) {}

  createRule(seed: RuleSeed, account?: string): RuleWire {
    const store = this.accountNamed(account);
    const rule: Rule = {
      id: seed.id ?? randomIdentifier('ipr'),
      sequence: store.rules.nextSequence,
      createdAtMs: seed.created_at === undefined ? this.service.nowMs() : Date.parse(seed.created_at),
      cidr: seed.cidr,
      network: networkOf(seed.cidr),
      policyId: seed.ip_policy_id,
      action: seed.action,
      ...editedTexts({}, seed),
    };
    if (store.rules.get(rule.id) !== undefined) throw new RangeError(`rule ${rule.id} exists already`);
    store.commit({ op: 'put-rule', rule });
    return plainRule(this.service.url, rule);
  }

  updateRule(id: string, edit: RuleEdit, account?: string): RuleWire {
    const store = this.accountNamed(account);
    const rule = store.rules.get(id);
    if (rule === undefined) throw new RangeError(`there is no rule ${id}`);
    const cidr = edit.cidr ?? rule.cidr;
    const changed: Rule = {
      ...rule,
      cidr,
      network: networkOf(cidr),
      policyId: edit.ip_policy_id ?? rule.policyId,
      action: edit.action ?? rule.action,
      createdAtMs: edit.created_at === undefined ? rule.createdAtMs : Date.parse(edit.created_at),
      ...editedTexts(rule, edit),
    };
    store.commit({ op: 'put-rule', rule: changed });
    return plainRule(this.service.url, changed);
  }

  deleteRule(id: string, account?: string): void {
    this.accountNamed(account).commit({ op: 'delete-rule', id });
  }

  setTcpModule(edgeId: string, module: TcpEdgeTrafficPolicyModule, account?: string): void {
    requireWellFormed('tcpEdge', edgeId);
    const { enabled, value } = module;
    this.accountNamed(account).commit({ op: 'put-tcp-module', edgeId, module: { enabled, value } });
  }

  deleteTcpModule(edgeId: string, account?: string): void {
    this.accountNamed(account).commit({ op: 'delete-tcp-module', edgeId });
  }

  /** `route` is `edgeId/routeId`. */
  setHttpsModule(route: string, module: HttpsEdgeRouteUserAgentFilterModule, account?: string): void {
    requireWellFormed('route', route);
    const copy = { enabled: module.enabled, allow: [...module.allow], deny: [...module.deny] };
    this.accountNamed(account).commit({ op: 'put-https-module', route, module: copy });
  }

  deleteHttpsModule(route: string, account?: string): void {
    this.accountNamed(account).commit({ op: 'delete-https-module', route });
  }
}

/** Adds everything of the seed to the account; returns the rules as the service would show them. */
export function plant(seed: Seed, given: { remote: Remote; store: AccountStore }): RuleWire[] {
  const { remote, store } = given;
  addParents(store, 'policy', seed.policies);
  addParents(store, 'tcpEdge', seed.tcpEdges);
  addParents(store, 'route', seed.routes);
  for (const [edgeId, module] of Object.entries(seed.tcpModules ?? {})) {
    remote.setTcpModule(edgeId, module, store.name);
  }
  for (const [route, module] of Object.entries(seed.httpsModules ?? {})) {
    remote.setHttpsModule(route, module, store.name);
  }
  return (seed.rules ?? []).map((rule) => remote.createRule(rule, store.name));
}

export function stateOf(store: AccountStore, url: string): AccountState {
  return {
    rules: Array.from(store.rules.all(), (rule) => plainRule(url, rule)),
    tcpModules: structuredClone(Object.fromEntries(store.tcpModules)),
    httpsModules: structuredClone(Object.fromEntries(store.httpsModules)),
    policies: [...store.parents.policy],
    edges: [...store.parents.tcpEdge],
    routes: [...store.parents.route],
  };
}

function addParents(store: AccountStore, kind: ParentKind, ids: readonly string[] = []): void {
  for (const id of ids) {
    requireWellFormed(kind, id);
    store.commit({ op: 'add-parent', kind, id });
  }
}

function requireWellFormed(kind: ParentKind, id: string): void {
  if (!isWellFormed(kind, id))
    throw new RangeError(`${JSON.stringify(id)} is not an identifier of a ${kind}`);
}

function networkOf(cidr: string): string {
  const network = parseNetwork(cidr);
  return network === undefined ? cidr : formatNetwork(withoutHostBits(network));
}
