/**
 * One change and the verdict that a careful reviewer wants, written down before the review was run: what can happen to
 * access (`same`, `gain`, `loss`, `both`, `affects`: any of them) and the severity of the worst new finding; or
 * `undecided`. `same` allows for house-keeping, but for nothing above low unless it says so.
 */
export type Scenario<Side> = readonly [
  name: string,
  why: string,
  before: Side,
  after: Side,
  verdict: Verdict,
];

type Graded = 'gain' | 'loss' | 'both' | 'affects';
export type Verdict =
  'same' | 'same medium' | 'same high' | 'undecided' | `${Graded} ${'critical' | 'high' | 'medium' | 'low'}`;
