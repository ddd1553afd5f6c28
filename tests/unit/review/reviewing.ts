import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import type { Drift } from '../../../review/src/findings/drift';
import {
  type AssertionSet,
  type Assumptions,
  type BaseAssertions,
  DEFAULT_CONTEXT,
  guardsOf,
  NO_ASSERTIONS,
  type PreviewDocument,
  readAssertionFile,
  renderJson,
  renderText,
  type Report,
  reviewPreview,
  type ReviewRequest,
} from '../../../review/src';
import type { FindingId } from '../../../review/src/findings/catalog';
import { plain } from '../../../review/src/text/escape';
import { cidrOf } from './pinned-feeds';
import { type MadeResource, previewOf } from './preview-builder';

/** What a test wants to be otherwise than by default. */
export interface Wishes extends Partial<Omit<ReviewRequest, 'context' | 'guards' | 'mustAllow'>> {
  readonly assumptions?: Partial<Assumptions>;
  readonly assertions?: AssertionSet;
  /** The base of the guards; without one it has what the change has. */
  readonly base?: BaseAssertions | 'not-known';
  readonly mustAllow?: readonly string[];
  readonly today?: string;
  readonly drift?: Drift;
}

/** A review of a preview, or of that of some resources, with the defaults of the command line, on a fixed day. */
export function reviewed(
  change: PreviewDocument | readonly MadeResource[],
  {
    assumptions,
    assertions = NO_ASSERTIONS,
    // The guards are those of the base, unless a test is about a change of them.
    base = { assertions },
    mustAllow = [],
    today = '2026-06-15',
    drift,
    ...wishes
  }: Wishes = {},
): Report {
  const preview = 'steps' in change ? change : previewOf(...change);
  return reviewPreview({ ...preview, ...(drift && { drift }) }, () => ({
    context: { ...DEFAULT_CONTEXT, assumptions: { ...DEFAULT_CONTEXT.assumptions, ...assumptions } },
    guards: guardsOf(preview, {
      assertions,
      ...(base !== 'not-known' && { base }),
      ...(wishes.feeds && { feeds: wishes.feeds }),
    }),
    now: `${today}T12:00:00.000Z`,
    failOn: 'high',
    mustAllow: mustAllow.map(cidrOf),
    ...wishes,
  }));
}

/** Findings in words, of all kinds or of one. */
export const told = ({ findings }: Pick<Report, 'findings'>, kind?: FindingId): string[] =>
  findings
    .filter(({ id }) => kind === undefined || id === kind)
    .map(({ id, severity, reason }) => `${severity} ${id}: ${plain(reason)}`);

/** The outcomes of the assertions, each with its reason. */
export const answersOf = ({ assertions }: Report): string[] =>
  assertions.map(({ outcome, because }) => `${outcome}: ${plain(because)}`);

export const textOf = (report: Report): string => renderText(report, { hasColours: false });

export const asserting = (content: object): AssertionSet =>
  readAssertionFile(JSON.stringify(content), 'a.json');

/** Asks for something of the policy `ipp_1`. */
export const demanding = (demands: object): { readonly assertions: AssertionSet } => ({
  assertions: asserting({ policies: [{ ipPolicyId: 'ipp_1', ...demands }] }),
});

/** The ids of the findings that the change brings, each as often as it is found. */
export const newIds = (report: Report): string[] =>
  report.findings.filter((found) => found.isNew).map((found) => found.id);

/** What is wrong with a document by one of the published schemas. */
export function schemaErrors(schema: 'assertions-1' | 'plan-2' | 'review-1', json: unknown): unknown {
  const text = readFileSync(path.join(__dirname, `../../../review/schemas/${schema}.json`), 'utf8');
  const validate = new Ajv2020({ formats: { date: true } }).compile(JSON.parse(text) as object);
  validate(json);
  return validate.errors;
}

/** The report as scripts get it, which is as its schema describes it. */
export function jsonOf(report: Report): unknown {
  const json: unknown = JSON.parse(renderJson(report));
  expect(schemaErrors('review-1', json)).toBeNull();
  return json;
}

/** The text of a preview as the Pulumi CLI 3.259.0 printed it, without stack traces. */
export const recorded = (name: string): string =>
  readFileSync(path.join(__dirname, 'fixtures', `${name}.json`), 'utf8');
