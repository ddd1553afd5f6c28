import type { AccountState, DirectAnswer, DirectRequest, Emulator, Remote } from '../../emulator/src/index';
import type { Deed } from './life';
import { liveRule, liveThings } from './judge/live';
import { policies } from './program/program';

/** What others made; it must be left as it is, unless an exclusive set stands for its policy. */
export interface Foreign {
  readonly id: string;
  readonly policy: string;
  readonly said: string;
}

/** The account on the service, and the others who use it. */
export class Account {
  readonly foreign: Foreign[] = [];
  private known: AccountState | undefined;

  constructor(private readonly emulator: Emulator) {}

  /** One object until something is written: what the judges work out of it belongs to it. */
  get state(): AccountState {
    return (this.known ??= this.emulator.state());
  }

  /** Serves a request, as the service does. */
  answer(request: DirectRequest): DirectAnswer {
    if (request.method !== 'GET') this.known = undefined;
    return this.emulator.answer(request);
  }

  /** Writes past the interface. */
  change<T>(write: (remote: Remote) => T): T {
    this.known = undefined;
    return write(this.emulator.remote);
  }

  /** Rules of others that make the list long. */
  addCrowd(count: number): void {
    for (let index = 0; index < count; index += 1) this.add(index);
  }

  /**
   * Does what somebody else does to what is there; answers whether it was something of ours. Nobody moves what no state knows:
   * a rule whose create was lost cannot be recognised by anything but its network.
   */
  do({ kind, which }: Deed, isManaged: (id: string) => boolean): boolean {
    if (kind === 'add') {
      const number = which % 200;
      if (!this.state.rules.some(({ cidr }) => cidr === networkOf(number))) this.add(number);
      return false;
    }
    const foreign = new Set(this.foreign.map(({ id }) => id));
    const ours = liveThings(this.state).filter(({ id = '' }) => !foreign.has(id));
    const id = ours[which % Math.max(1, ours.length)]?.id ?? '';
    if (id === '' || (kind === 'move' && !isManaged(id))) return false;
    this.change((remote) => {
      harm(remote, { kind, which }, id);
    });
    return true;
  }

  private add(number: number): void {
    const policy = policies[number % policies.length] ?? policies[0];
    const seed = { cidr: networkOf(number), ip_policy_id: policy, action: 'deny' } as const;
    const rule = this.change((remote) => remote.createRule(seed));
    this.foreign.push({ id: rule.id, policy, said: JSON.stringify(liveRule(rule)) });
  }
}

/** The network of a rule of others; no program knows it. */
const networkOf = (number: number): string => `100.${64 + (number >> 8)}.${number & 255}.0/24`;

function harm(remote: Remote, { kind, which }: Deed, id: string): void {
  if (id.startsWith('ipr_')) {
    if (kind === 'delete') remote.deleteRule(id);
    else if (kind === 'move') remote.updateRule(id, { cidr: `100.65.${which % 200}.0/24` });
    else remote.updateRule(id, { description: 'theirs', metadata: '' });
  } else if (id.startsWith('edgtcp_')) {
    if (kind === 'delete') remote.modules('tcpModules').delete(id);
    else remote.modules('tcpModules').set(id, { enabled: true, value: `{"inbound":[],"theirs":${which}}` });
  } else if (kind === 'delete') remote.modules('httpsModules').delete(id);
  else remote.modules('httpsModules').set(id, { enabled: false, allow: [`theirs${which}`], deny: [] });
}
