import { nearestName } from 'pulumi-edge-policy/internal/values/failure';

/** Phases whose rules decide who gets in. */
const ADMITTING_PHASES = ['inbound', 'on_tcp_connect'];
/** Phases after access has been given. */
const OTHER_PHASES = ['outbound'];
/** All phases that are known. */
export const PHASES: readonly string[] = [...ADMITTING_PHASES, ...OTHER_PHASES];

/** The role of a phase: its rules decide, decide nothing, never run as the name is mistyped, or it is unknown. */
export type PhaseRole = 'decides' | 'decides-nothing' | 'mistyped' | 'unknown';

/** The role of a phase by its name; `further` are phases that the user declares as deciding. */
export function roleOfPhase(name: string, further: readonly string[]): PhaseRole {
  if ([...ADMITTING_PHASES, ...further].includes(name)) return 'decides';
  if (OTHER_PHASES.includes(name)) return 'decides-nothing';
  const mayRun = isMiscased(name, further) || nearestPhase(name, further) === undefined;
  return mayRun ? 'unknown' : 'mistyped';
}

/** The phase that was probably meant by a mistyped name. */
export function nearestPhase(name: string, further: readonly string[]): string | undefined {
  const known = [...PHASES, ...further];
  const bare = lettersOf(name);
  return known.find((phase) => phase !== name && lettersOf(phase) === bare) ?? nearestName(name, known);
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Whether a name differs from a known one by case only. */
export function isMiscased(name: string, known: readonly string[]): boolean {
  const folded = name.toLowerCase();
  return !known.includes(name) && known.some((other) => other.toLowerCase() === folded);
}
