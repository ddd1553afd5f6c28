import { withinBudget } from '../../../review/src/budget/budget';
import { type Bomb, bombCalled, BOMBS, changedEdge, nested } from './bombs';
import { previewOf } from './preview-builder';
import { reviewed } from './reviewing';

const isTooComplex = ({ verdict, findings }: ReturnType<typeof reviewed>): boolean =>
  verdict.outcome === 'not-decidable' &&
  findings.some(({ reason }) => JSON.stringify(reason).includes('too complex'));

const review = (
  { make, wishes }: Bomb,
  { bytes = 6_000, mostSteps = 2_000_000 }: { bytes?: number; mostSteps?: number } = {},
) => {
  const preview = previewOf(...make(bytes));
  const more = wishes?.(bytes);
  const { result, steps } = withinBudget(() => reviewed(preview, { ...more, mostSteps }), Infinity);
  if (!result) throw new Error('a review ends by itself');
  return { report: result, steps };
};

describe.each(BOMBS)('$name', (bomb) => {
  test('is reviewed in the same number of steps every time', () => {
    const { steps } = review(bomb);
    expect(steps).toBeGreaterThan(0);
    expect(review(bomb).steps).toBe(steps);
  });

  test('is not decided, and never without effect, where the steps do not suffice', () => {
    const { report, steps } = review(bomb);
    expect(report.verdict.affectsAccess || isTooComplex(report)).toBe(true);
    const half = review(bomb, { mostSteps: Math.floor(steps / 2) }).report;
    expect(half.verdict.affectsAccess || isTooComplex(half)).toBe(true);
    expect(isTooComplex(review(bomb, { mostSteps: 0 }).report)).toBe(true);
  });
});

test.each([
  ['a feed with many holes in what its publisher does not list', 250_000],
  ['an approved plan with many holes in its bounds, of which a rule has ended', 300_000],
])('what %s comes to is counted before it is written out', (name, least) => {
  const bomb = bombCalled(name);
  const { steps } = review(bomb);
  expect(steps - review({ ...bomb, wishes: () => ({}) }).steps).toBeGreaterThan(least);
  expect(isTooComplex(review(bomb, { mostSteps: steps - 1 }).report)).toBe(true);
});

const REVIEW = 50_000_000;

test('a review has steps for hundreds of documents without a known edge, and not for thousands', () => {
  const bomb = bombCalled('documents of edges that are not known, beside many edges');
  expect(isTooComplex(review(bomb, { bytes: 100_000, mostSteps: REVIEW }).report)).toBe(false);
  expect(isTooComplex(review(bomb, { bytes: 1_000_000, mostSteps: REVIEW }).report)).toBe(true);
});

test.each([25, 60])('%d nested `? :` are not decided, and not without effect', (depth) => {
  const report = reviewed(previewOf(...changedEdge(nested(depth, 'a'), nested(depth, 'b'))));
  expect(report.verdict.affectsAccess).toBe(true);
  expect(report.findings.some(({ id, isNew }) => id === 'access-undecided' && isNew)).toBe(true);
});

test('one that stays as it is changes nothing', () => {
  const report = reviewed(previewOf(...changedEdge(nested(40, 'conn.geo.a'), nested(40, 'conn.geo.a'))));
  expect(report.verdict.affectsAccess).toBe(false);
});
