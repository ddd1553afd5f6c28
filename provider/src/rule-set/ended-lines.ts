// Rules that the set leaves out, as their end has passed, have lines behind those of all others:
//
//   ended: 198.51.100.7/32 allow "Vendor X" until 2026-12-31
//   left out: 192.0.2.0/25 deny until 2025-11-30
//
// The first has been live with this end. The second had passed when it was declared, perhaps by a wrong year, so it was never
// sent. State keeps both lines: otherwise the next check could not tell the one from the other.
import { readLine, type RuleLine } from './rule-line';

/** Why a rule is left out. */
export type EndedKind = 'ended' | 'left out';

/** A rule that is left out. */
export interface EndedLine {
  readonly kind: EndedKind;
  readonly rule: RuleLine;
  /** All of the line. */
  readonly text: string;
}

const ENDED = /^(?:ended|left out): /m;

/** The part of a text that declares rules. */
export function withoutEndedLines(text: string): string {
  const at = text.search(ENDED);
  return at < 0 ? text : text.slice(0, at);
}

/** The lines of the rules that a text leaves out. */
export function endedLines(text: string): EndedLine[] {
  const at = text.search(ENDED);
  if (at < 0) return [];
  return text
    .slice(at)
    .split('\n')
    .flatMap((line) => {
      const [kind = ''] = line.split(': ', 1);
      const rule = readLine(line.slice(kind.length + 2));
      return rule === undefined ? [] : [{ kind: kind === 'ended' ? kind : 'left out', rule, text: line }];
    });
}

/** A text with lines of rules that are left out. */
export const withEndedLines = (text: string, lines: readonly Pick<EndedLine, 'text'>[]): string =>
  text + lines.map((line) => `${line.text}\n`).join('');
