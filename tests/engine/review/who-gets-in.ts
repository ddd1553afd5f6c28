// Who gets in by what a service holds, by brute force: it shares nothing with the review.
import type { Emulator } from '../../../emulator/src/index';
import { actionsFor, getsIn, isInNetwork } from '../../unit/review/oracle/addresses';

/** Addresses inside and outside of all networks that programs name. */
export const ADDRESSES = [
  ...[0, 64].flatMap((offset) => Array.from({ length: 32 }, (_, index) => `10.0.${offset + index}.1`)),
  ...['192.0.2.1', '203.0.113.9'],
];

const CLIENTS = [...Array.from({ length: 8 }, (_, index) => `bot${index}`), 'curl', undefined];

/** One text for each address, or client, that gets in by a policy, edge or route of these. */
export function whoGetsIn(state: ReturnType<Emulator['state']>, subjects: ReadonlySet<string>): string[] {
  return [...subjects].flatMap((subject) => byOne(state, subject).map((client) => `${client} by ${subject}`));
}

function byOne(
  { rules, tcpModules, httpsModules }: ReturnType<Emulator['state']>,
  subject: string,
): string[] {
  if (subject.startsWith('ipp_')) {
    const own = rules.filter((rule) => rule.ip_policy.id === subject);
    return ADDRESSES.filter((address) => getsIn(actionsFor(own, address)));
  }
  const filter = httpsModules[subject];
  if (subject.includes('/')) {
    const refused = filter?.enabled === true ? filter.deny : [];
    return CLIENTS.filter((client) => !refused.some((pattern) => client?.includes(pattern) === true)).map(
      (client) => client ?? 'no header',
    );
  }
  const edge = tcpModules[subject];
  const networks = Array.from(edge?.value.matchAll(/client_ip, '([^']*)'/g) ?? [], ([, cidr = '']) => cidr);
  const refused = edge?.enabled === true ? networks : [];
  return ADDRESSES.filter((address) => !refused.some((cidr) => isInNetwork(address, cidr)));
}
