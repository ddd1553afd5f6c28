import { Refusal } from '../answer';
import type { Switches } from '../switches';
import { formatNetwork, parseNetwork, withoutHostBits, type Network } from '../values/cidr';

type CidrSwitches = Pick<Switches, 'bareAddress' | 'hostBits' | 'ipv6Text'>;

/** How the service stores a given CIDR, and the canonical network by which it finds duplicates. */
export function storedCidr(text: string, switches: CidrSwitches): { cidr: string; network: string } {
  const sent = parseNetwork(text);
  if (sent === undefined) throw refuse(`${JSON.stringify(text)} is not an IP range in CIDR notation.`);
  const network = formatNetwork(withoutHostBits(sent));
  return { network, cidr: storedText(text, { sent, network, switches }) };
}

function storedText(text: string, given: { sent: Network; network: string; switches: CidrSwitches }): string {
  const { sent, network, switches } = given;
  const hasHostBits = withoutHostBits(sent).address !== sent.address;
  if (!sent.hasPrefixLength) {
    if (switches.bareAddress === 'refused') throw refuse(`${text} has no prefix length.`);
    return switches.bareAddress === 'canonical' ? network : text;
  }
  if (hasHostBits) {
    if (switches.hostBits === 'refused') {
      throw refuse(`${text} has host bits set; did you mean ${network}?`);
    }
    return switches.hostBits === 'canonical' ? network : text;
  }
  if (sent.family === 4 || switches.ipv6Text === 'as-sent') return text;
  return switches.ipv6Text === 'canonical' ? network : text.toLowerCase();
}

const refuse = (message: string): Refusal => new Refusal(400, 'ERR_INVALID_CIDR', message);
