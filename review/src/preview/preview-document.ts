// What for: reads what `pulumi preview --json` and a stack's state say.
// Must not know: `model`, `access` and `findings`: neither rules nor who gets in.
import { trusted } from '../text/sentence';
import { asArray, asObject, isObject, type JsonObject, parsedJson, present } from './json-reading';
import { gapsOf, isReadableStep, type PreviewGap } from './preview-gaps';
import { type PreviewStep, readStep } from './preview-step';
import range from './cli-range.json';

/** A preview as `pulumi preview --json --show-sames --show-replacement-steps` printed it. */
export interface PreviewDocument {
  readonly stack?: string;
  readonly project?: string;
  readonly steps: readonly PreviewStep[];
  readonly settings?: JsonObject;
  /** Empty when the preview shows the whole stack. */
  readonly gaps: readonly PreviewGap[];
}

export class NotAPreviewError extends Error {
  override readonly name = 'NotAPreviewError';
}

const EMPTY = trusted('The preview printed nothing, so it failed before it began.');
const KNOWN_KEYS = ['steps', 'diagnostics', 'changeSummary', 'duration', 'config'];

/** Reads the output of the CLI; `gaps` has what it does not show. Throws a NotAPreviewError for any other text. */
export function readPreviewDocument(text: string): PreviewDocument {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { steps: [], gaps: [EMPTY] };
  const document = parsedJson(trimmed);
  if (!isObject(document) || !KNOWN_KEYS.some((key) => key in document)) throw new NotAPreviewError(ADVICE);
  const steps = asArray(document['steps']).flatMap((step) => (isReadableStep(step) ? [readStep(step)] : []));
  const settings = asObject(document['config']);
  const { stack, project } = steps[0]?.urn ?? {};
  return { ...present({ stack, project, settings }), steps, gaps: gapsOf(document, steps) };
}

const ADVICE =
  'This is not the JSON of a preview: make one with `pulumi preview --json --show-sames --show-replacement-steps`, and without ' +
  'PULUMI_ENABLE_STREAMING_JSON_PREVIEW.';

/** From the first CLI that takes inputs and outputs from an import file without asking the provider, to the pinned one. */
export const TESTED_CLIS = range;

/** Whether a version of dotted numbers is equal to another, or later; what follows the numbers does not count. */
export const isVersionAtLeast = (version: string, least: string): boolean =>
  NUMERIC.compare(numbersIn(version), numbersIn(least)) >= 0;

const numbersIn = (version: string): string => /\d+(\.\d+)*/.exec(version)?.[0] ?? '0';

const NUMERIC = new Intl.Collator('en', { numeric: true });

export const isTestedCli = (version: string): boolean =>
  isVersionAtLeast(version, range.oldest) && isVersionAtLeast(range.newest, version);
