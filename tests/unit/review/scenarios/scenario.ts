/**
 * Changes by the verdict that a careful reviewer wants, written down before the review was run: what can happen to
 * access (`same`, `gain`, `loss`, `both`, `affects`: any of them) and the severity of the worst new finding; or
 * `undecided`. `same` allows for house-keeping, but for nothing above low unless it says so.
 */
export type Scenarios<Change> = Readonly<Partial<Record<Verdict, Readonly<Record<NameAndWhy, Change>>>>>;

type Graded = 'gain' | 'loss' | 'both' | 'affects';
export type Verdict =
  'same' | 'same medium' | 'same high' | 'undecided' | `${Graded} ${'critical' | 'high' | 'medium' | 'low'}`;
type NameAndWhy = `${string}: ${string}`;

/** Before and after. `+ rule` adds to what was there before, `- rule` takes away from it; null is nothing at all. */
export type Sides = readonly [before: Side, after: Side];
type Side = readonly string[] | string | null;

/** The lines of both sides. */
export function linesOf([before, after]: Sides): [readonly string[] | null, readonly string[] | null] {
  const [old, wanted] = [before, after].map((side) => (typeof side === 'string' ? [side] : side));
  if (!old || !wanted?.some((line) => /^[+-] /.test(line))) return [old ?? null, wanted ?? null];
  const edits = (sign: string) =>
    wanted.filter((line) => line.startsWith(sign)).map((line) => line.slice(sign.length));
  return [old, [...old.filter((line) => !edits('- ').includes(line)), ...edits('+ ')]];
}
