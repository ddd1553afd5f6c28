import { isWellFormed, type ParentKind } from '../identifiers';
import type { Change, HttpsEdgeRouteUserAgentFilterModule, TcpEdgeTrafficPolicyModule } from './changes';
import { RuleStore } from './rule-store';

/** Everything one account holds. It changes by `commit` alone, which also tells the recorder. */
export class AccountStore {
  readonly rules = new RuleStore();
  readonly tcpModules = new Map<string, TcpEdgeTrafficPolicyModule>();
  readonly httpsModules = new Map<string, HttpsEdgeRouteUserAgentFilterModule>();
  readonly parents: Readonly<Record<ParentKind, Set<string>>> = {
    policy: new Set(),
    tcpEdge: new Set(),
    route: new Set(),
  };

  constructor(
    readonly name: string,
    private readonly record: (account: string, change: Change) => void,
  ) {}

  commit(change: Change): void {
    // Recorded first: a change that could not be kept must not be answered as done.
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
      case 'put-tcp-module':
        this.tcpModules.set(change.edgeId, change.module);
        break;
      case 'delete-tcp-module':
        this.tcpModules.delete(change.edgeId);
        break;
      case 'put-https-module':
        this.httpsModules.set(change.route, change.module);
        break;
      case 'delete-https-module':
        this.httpsModules.delete(change.route);
        break;
      case 'add-parent':
        this.parents[change.kind].add(change.id);
    }
  }

  /** The shortest list of changes that leads from nothing to here. */
  *changes(): Generator<Change> {
    for (const kind of ['policy', 'tcpEdge', 'route'] as const) {
      for (const id of this.parents[kind]) yield { op: 'add-parent', kind, id };
    }
    for (const rule of this.rules.all()) yield { op: 'put-rule', rule };
    for (const [edgeId, module] of this.tcpModules) yield { op: 'put-tcp-module', edgeId, module };
    for (const [route, module] of this.httpsModules) yield { op: 'put-https-module', route, module };
  }

  hasParent(kind: ParentKind, id: string, parents: 'any' | 'seeded'): boolean {
    return parents === 'any' ? isWellFormed(kind, id) : this.parents[kind].has(id);
  }
}
