import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { type CidrSet, cidrSetOf, isEmptyCidrSet, sizeOf, subtract } from 'pulumi-edge-policy-review';
import type { Step } from './step';
import { safeText } from '../command/text';

/** The result of an update of one feed. */
export type Outcome =
  | {
      readonly name: string;
      readonly kind: 'refused';
      readonly reason: string;
      /** What it would have changed, if only the bounds refuse it. */
      readonly step?: Step;
    }
  /** It is locked and no longer declared. */
  | { readonly name: string; readonly kind: 'dropped' }
  | { readonly name: string; readonly kind: 'passed'; readonly step: Step };

/** How many added networks are shown, and how many removed ones. */
const MOST_SHOWN = 20;

/** The result for a feed, in lines. */
export function describeOutcome(outcome: Outcome): string {
  const { name } = outcome;
  if (outcome.kind === 'dropped') return `${name}: no longer declared, and dropped from the lock\n`;
  if (outcome.kind === 'refused') {
    const { reason, step } = outcome;
    const said = `${name}: refused: ${safeText(reason, 400)}\n`;
    if (step === undefined) return said;
    return `${said}  ${describeChange(step)}  If intended: ${COMMAND_LINE} feeds update ${name} --accept "REASON"\n`;
  }
  const { before, after, locked } = outcome.step;
  if (before.length > 0) return `${name}: ${describeChange(outcome.step)}`;
  const notice = locked.notice === undefined ? '' : `  ${safeText(locked.notice, 200)}\n`;
  return `${name}: new, ${contentOf(after)}\n${notice}`;
}

function describeChange({ before, after }: Step): string {
  const [added, removed] = [missingIn(before, after), missingIn(after, before)];
  if (added.length + removed.length === 0) return `unchanged, ${contentOf(after)}\n`;
  const [old, young] = [cidrSetOf(before), cidrSetOf(after)];
  const [gained, lost] = [subtract(young, old), subtract(old, young)];
  const more = [...sizesOf(gained, 'more'), ...sizesOf(lost, 'fewer')];
  const meaning = more.length === 0 ? 'the same addresses' : more.join(', ');
  const lines = [...shown(added, '+'), ...shown(removed, '-')];
  return `${networksOf(added.length)} more, ${removed.length} fewer (${meaning})\n${lines.join('')}`;
}

/** The networks that only the second list has, the largest first. */
function missingIn(others: readonly Cidr[], networks: readonly Cidr[]): string[] {
  const known = new Set(others.map(({ text }) => text));
  return networks
    .filter(({ text }) => !known.has(text))
    .sort((a, b) => hostBits(b) - hostBits(a))
    .map(({ text }) => text);
}

/** A /64 of IPv6 is one site, as an address of IPv4 is. */
const hostBits = ({ family, prefixLength }: Cidr): number => (family === 4 ? 32 : 64) - prefixLength;

function shown(networks: readonly string[], mark: string): string[] {
  const lines = networks.slice(0, MOST_SHOWN).map((network) => `  ${mark} ${network}\n`);
  const rest = networks.length - lines.length;
  return rest > 0 ? [...lines, `  ${mark} and ${rest} smaller ones\n`] : lines;
}

/** How many networks there are, and how many addresses they hold. */
const contentOf = (networks: readonly Cidr[]): string =>
  `${networksOf(networks.length)} (${sizesOf(cidrSetOf(networks)).join(', ')})`;

const networksOf = (number: number): string => `${grouped(number)} ${number === 1 ? 'network' : 'networks'}`;

const sizesOf = (set: CidrSet, comparison = ''): string[] =>
  isEmptyCidrSet(set)
    ? []
    : ([4, 6] as const).flatMap((family) => {
        const size = sizeOf(set, family);
        return size === 0n ? [] : [`${amount(size, family)}${comparison && ` ${comparison}`}`];
      });

/** From one /64 on, the size of IPv6 networks is given in /64 networks. */
function amount(size: bigint, family: Family): string {
  const site = 1n << BigInt(addressBits(6) / 2);
  if (family === 6 && size >= site) return `${grouped(size / site)} IPv6 /64`;
  return `${grouped(size)} ${size === 1n ? `IPv${family} address` : `IPv${family} addresses`}`;
}

const grouped = (number: number | bigint): string => number.toString().replace(/\B(?=(?:\d{3})+$)/g, ',');
