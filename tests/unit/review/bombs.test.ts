// Previews that are small to write and long to judge: what somebody would send who wants a review to time out.
import { CORPUS, NO_ASSERTIONS, reviewPreview } from '../../../review/src';
import type { Case, Judgement } from '../../../cli/src/judge/judge-case';
import { judgeHere, judgeThere } from '../../support/judging';
import { added, agents, previewOf, previewText, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule } from './inputs';
import { reviewed } from './reviewing';

/** `? :` whose conditions are `? :` again. */
const nested = (depth: number, innermost: string): string =>
  depth === 0 ? innermost : `((${nested(depth - 1, innermost)}) ? x${depth} : y${depth})`;
/** An edge of which one condition becomes another. */
const changedEdge = (before: string, after: string): MadeResource =>
  tcp('edge', { before: edgeInputs(denyIf(before)), after: edgeInputs(denyIf(after)) });

/** A filter whose patterns of many choices become others that differ in one letter. */
const manyChoices = (letter: string) =>
  filterInputs(Array.from({ length: 1_666 }, (_, at) => `(?i)(?:[a-z]?){900}${letter}${at}`));

const office = added('office', rule('8.8.8.0/24'));

const caseOf = (resources: readonly MadeResource[]): Case => ({
  preview: previewText(resources),
  guards: { assertions: NO_ASSERTIONS, base: { assertions: NO_ASSERTIONS } },
  asked: { noNewAccess: false, models: {} },
  ignoresGate: false,
  assumptions: {},
  corpus: CORPUS,
  request: { now: '2026-06-15T12:00:00.000Z' },
  renderings: [{ format: 'json', hasColours: false }],
});

const isTooComplex = ({ exitCode, texts }: Judgement): boolean =>
  exitCode === 2 && texts.join().includes('too complex');

test('what takes longer than the time that a review has is too complex', () => {
  const slow = agents('slow', { before: manyChoices('x'), after: manyChoices('y') });
  expect(isTooComplex(judgeThere(caseOf([slow]), { seconds: 2 }))).toBe(true);
});

test.each([
  ['time', { seconds: 0.001 }],
  ['memory', { megabytes: 4 }],
])('without %s, the plainest change is too complex, with exit code 2', (_what, bounds) => {
  expect(isTooComplex(judgeThere(caseOf([office]), bounds))).toBe(true);
});

test('within its bounds, another process judges as this one does', () => {
  const judgement = judgeThere(caseOf([office]));
  expect(judgement.exitCode).toBe(0);
  expect(judgement).toEqual(judgeHere(caseOf([office])));
});

test('what cannot be judged at all is refused, and no verdict', () => {
  expect(() => judgeThere({ ...caseOf([office]), preview: '[]' })).toThrow('not the JSON of a preview');
  expect(() => judgeThere({ ...caseOf([office]), guards: undefined as never })).toThrow(
    'The review was ended',
  );
});

test('a state that is nested too deep is not decidable, and one that is none is refused', () => {
  const type = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
  const urn = `urn:pulumi:prod::site::${type}::office`;
  const cidr = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const state = `{"deployment":{"resources":[{"urn":"${urn}","type":"${type}","inputs":{"cidr":${cidr}}}]}}`;
  expect(isTooComplex(judgeThere({ ...caseOf([office]), state }))).toBe(true);
  expect(isTooComplex(judgeHere({ ...caseOf([office]), state }))).toBe(true);
  expect(() => judgeThere({ ...caseOf([office]), state: '[]' })).toThrow('This is not a state');
});

test('a stack overflow is too complex', () => {
  const overflow = (depth: number): never => overflow(depth + 1);
  const report = reviewPreview(previewOf(office), () => overflow(0));
  expect(report.verdict.outcome).toBe('not-decidable');
  expect(JSON.stringify(report.findings)).toContain('too complex');
});

test.each([25, 60])('%d nested `? :` are not decided, and not without effect', (depth) => {
  const report = reviewed([changedEdge(nested(depth, 'a'), nested(depth, 'b'))]);
  expect(report.verdict.affectsAccess).toBe(true);
  expect(report.findings.some(({ id, isNew }) => id === 'access-may-change' && isNew)).toBe(true);
});

test('one that stays as it is changes nothing', () => {
  const report = reviewed([changedEdge(nested(40, 'conn.geo.a'), nested(40, 'conn.geo.a'))]);
  expect(report.verdict.affectsAccess).toBe(false);
});
