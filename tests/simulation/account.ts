import type { AccountState, DirectAnswer, DirectRequest, Emulator, Remote } from '../../emulator/src/index';
import type { Deed } from './life';
import { liveRule } from '../support/things';
import { policies } from '../support/random-program/program';

/** Objects of others, which must stay as they are, unless an exclusive set owns their policy. */
export interface Foreign {
  readonly id: string;
  readonly policy: string;
  readonly said: string;
}

/** Where the service looks up requests by id: for a while it does not know a new rule. */
interface Replica {
  readonly unknownForMs: number;
  readonly nowMs: () => number;
}

const NO_SUCH_RULE = JSON.stringify({ error_code: 'ERR_NOT_FOUND', status_code: 404, msg: 'No such rule.' });

/** The account on the service, and the others who use it. */
export class Account {
  readonly foreign: Foreign[] = [];
  private known: AccountState | undefined;
  private moved = 0;
  private added = 0;

  constructor(
    private readonly emulator: Emulator,
    private readonly replica: Replica,
  ) {}

  /** One object until something is written, as the judges cache results for it. */
  get state(): AccountState {
    return (this.known ??= this.emulator.state());
  }

  /** Serves a request, as the service does. */
  answer(request: DirectRequest): DirectAnswer {
    if (this.isTooYoung(request)) {
      const date = new Date(this.replica.nowMs()).toUTCString();
      return { status: 404, headers: { date }, text: NO_SUCH_RULE };
    }
    if (request.method !== 'GET') this.known = undefined;
    return this.emulator.answer(request);
  }

  private isTooYoung({ target }: DirectRequest): boolean {
    const { unknownForMs, nowMs } = this.replica;
    if (unknownForMs === 0) return false;
    const rule = this.state.rules.find(({ id }) => target === `/ip_policy_rules/${id}`);
    return rule !== undefined && nowMs() < Date.parse(rule.created_at) + unknownForMs;
  }

  /** Writes without using the interface. */
  change<T>(write: (remote: Remote) => T): T {
    this.known = undefined;
    return write(this.emulator.remote);
  }

  /** Deletes an object by its id. */
  remove(id: string): void {
    this.harm('delete', id);
  }

  /** Rules of others that make the list long. */
  addCrowd(count: number): void {
    for (let index = 0; index < count; index += 1) this.add();
  }

  /**
   * Does what another user does to an existing object; returns whether it was one of ours. Nobody moves an object that is in no
   * state: a rule whose create was lost can only be recognised by its network.
   */
  do(deed: Deed, isManaged: (id: string) => boolean): boolean {
    if (deed.kind === 'add') {
      this.add();
      return false;
    }
    const id = this.ourIdAt(deed.place);
    if (id === undefined || (deed.kind === 'move' && !isManaged(id))) return false;
    this.moved += 1;
    this.harm(deed.kind, id);
    return true;
  }

  /** The live objects at a place of the programs (`placesOf`), without those of others. */
  private ourIdAt(place: string): string | undefined {
    const { rules, tcpModules, httpsModules } = this.state;
    const foreign = new Set(this.foreign.map(({ id }) => id));
    const rule = rules.find(
      ({ id, ip_policy, cidr }) => !foreign.has(id) && `${ip_policy.id} ${cidr}` === place,
    );
    return (
      rule?.id ?? [...Object.keys(tcpModules), ...Object.keys(httpsModules)].find((id) => id.endsWith(place))
    );
  }

  /** Another user deletes a rule of their own. @param isTheirs Whether no set owns its policy. */
  leave(isTheirs: (rule: Foreign) => boolean): void {
    const index = this.foreign.findIndex(isTheirs);
    if (index >= 0) for (const { id } of this.foreign.splice(index, 1)) this.remove(id);
  }

  private harm(kind: 'edit' | 'move' | 'delete', id: string): void {
    this.change((remote) => {
      if (id.startsWith('ipr_')) {
        if (kind === 'delete') remote.deleteRule(id);
        else if (kind === 'move') remote.updateRule(id, { cidr: `100.65.${this.moved}.0/24` });
        else remote.updateRule(id, { description: 'theirs', metadata: '' });
      } else if (id.startsWith('edgtcp_')) {
        if (kind === 'delete') remote.modules('tcpModules').delete(id);
        else remote.modules('tcpModules').set(id, { enabled: true, value: '{"inbound":[],"theirs":true}' });
      } else if (kind === 'delete') remote.modules('httpsModules').delete(id);
      else remote.modules('httpsModules').set(id, { enabled: false, allow: ['theirs'], deny: [] });
    });
  }

  private add(): void {
    const number = this.added;
    this.added += 1;
    const policy = policies[number % policies.length] ?? policies[0];
    const seed = { cidr: networkOf(number), ip_policy_id: policy, action: 'deny' } as const;
    const rule = this.change((remote) => remote.createRule(seed));
    this.foreign.push({ id: rule.id, policy, said: JSON.stringify(liveRule(rule)) });
  }
}

/** The network of a rule of others, which no program uses. */
const networkOf = (number: number): string => `100.${64 + (number >> 8)}.${number & 255}.0/24`;
