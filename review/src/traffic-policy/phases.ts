import { nearestName } from 'pulumi-edge-policy/internal/values/nearest-name';

/** Phases of which the rules decide who gets in. */
export const ADMITTING_PHASES = ['inbound', 'on_tcp_connect'];
/** Phases that come after somebody got in. */
const OTHER_PHASES = ['outbound'];

/** What the rules of a phase do: decide, decide nothing, never run as the name is mistyped, or nobody knows. */
export type PhaseRole = 'decides' | 'decides-nothing' | 'mistyped' | 'unknown';

/** What a name says about its rules; `further` are phases that the user says decide as well. */
export function roleOfPhase(name: string, further: readonly string[]): PhaseRole {
  if ([...ADMITTING_PHASES, ...further].includes(name)) return 'decides';
  if (OTHER_PHASES.includes(name)) return 'decides-nothing';
  return nearestPhase(name, further) === undefined ? 'unknown' : 'mistyped';
}

/** The phase that a mistyped name was probably meant to be. */
export function nearestPhase(name: string, further: readonly string[]): string | undefined {
  const known = [...ADMITTING_PHASES, ...OTHER_PHASES, ...further];
  const bare = lettersOf(name);
  return known.find((phase) => phase !== name && lettersOf(phase) === bare) ?? nearestName(name, known);
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
