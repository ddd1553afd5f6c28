/**
 * Changes by the verdict that a careful reviewer wants, written down before the review was run: what can happen to
 * access (`same`, `gain`, `loss`, `both`, `affects`: any of them) and the severity of the worst new finding; or
 * `undecided`. `same` allows for house-keeping, but for nothing above low unless it says so.
 */
export type Scenarios<Change> = Readonly<Partial<Record<Wanted, Readonly<Record<NameAndWhy, Change>>>>>;

type Graded = 'gain' | 'loss' | 'both' | 'affects';
export type Wanted =
  'same' | 'same medium' | 'same high' | 'undecided' | `${Graded} ${'critical' | 'high' | 'medium' | 'low'}`;
type NameAndWhy = `${string}: ${string}`;

/**
 * Before and after, as `before => after`, or as two texts if they are long. Rules are separated by semicolons, and patterns by
 * spaces; `+ rule` adds to what was there before, `- rule` takes away from it.
 */
export type Sides = string | readonly [before: string, after: string];

/** The parts of both sides; null if there is nothing at all. */
export function partsOf(
  sides: Sides,
  separator = '; ',
): [readonly string[] | null, readonly string[] | null] {
  const [old, wanted] = (typeof sides === 'string' ? sides.split(' => ') : sides).map((side) =>
    side === 'none' ? null : side === 'empty' ? [] : side.split(separator),
  );
  if (!old || !wanted?.some((part) => /^[+-] /.test(part))) return [old ?? null, wanted ?? null];
  const edits = (sign: string) =>
    wanted.filter((part) => part.startsWith(sign)).map((part) => part.slice(sign.length));
  return [old, [...old.filter((part) => !edits('- ').includes(part)), ...edits('+ ')]];
}
