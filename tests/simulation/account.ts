import type { AccountState, Emulator } from '../../emulator/src/index';
import type { Deed } from './life';
import { liveThings } from './judge/live';
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

  constructor(readonly emulator: Emulator) {}

  get state(): AccountState {
    return this.emulator.state();
  }

  /** Rules of others that make the list long. */
  addCrowd(count: number): void {
    for (let index = 0; index < count; index += 1) this.add(index);
  }

  /** Does what somebody else does to what is there; answers whether it was something of ours. */
  do({ kind, which }: Deed): boolean {
    if (kind === 'add') {
      this.add(which % 200);
      return false;
    }
    const { remote } = this.emulator;
    const foreign = new Set(this.foreign.map(({ id }) => id));
    const ours = liveThings(this.state).filter(({ id = '' }) => !foreign.has(id));
    const id = ours[which % Math.max(1, ours.length)]?.id ?? '';
    if (id === '') return false;
    if (id.startsWith('ipr_')) {
      if (kind === 'delete') remote.deleteRule(id);
      else if (kind === 'move') remote.updateRule(id, { cidr: `100.65.${which % 200}.0/24` });
      else remote.updateRule(id, { description: 'theirs', metadata: '' });
    } else if (id.startsWith('edgtcp_')) {
      if (kind === 'delete') remote.deleteTcpModule(id);
      else remote.setTcpModule(id, { enabled: true, value: `{"inbound":[],"theirs":${which}}` });
    } else if (kind === 'delete') remote.deleteHttpsModule(id);
    else remote.setHttpsModule(id, { enabled: false, allow: [`theirs${which}`], deny: [] });
    return true;
  }

  private add(number: number): void {
    const policy = policies[number % policies.length] ?? policies[0];
    const cidr = `100.${64 + (number >> 8)}.${number & 255}.0/24`;
    if (this.state.rules.some((rule) => rule.cidr === cidr)) return;
    const { id } = this.emulator.remote.createRule({ cidr, ip_policy_id: policy, action: 'deny' });
    const said = JSON.stringify(liveThings(this.state).find((thing) => thing.id === id));
    this.foreign.push({ id, policy, said });
  }
}
