import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { Step } from './step';
import { count, safeText } from '../command/text';

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
  return `${name}: new, ${count(after.length, 'network')}\n${notice}`;
}

function describeChange({ before, after }: Step): string {
  const [added, removed] = [missingIn(before, after), missingIn(after, before)];
  if (added.length + removed.length === 0) return `unchanged, ${count(after.length, 'network')}\n`;
  const lines = [...shown(added, '+'), ...shown(removed, '-')];
  return `${count(added.length, 'network')} more, ${removed.length} fewer\n${lines.join('')}`;
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
