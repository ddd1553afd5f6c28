import type { JsonObject } from './json-reading';
import { asArray, asObject, asString, isObject, tryParseJson } from './json-reading';
import type { PreviewStep } from './preview-step';
import { readStep } from './preview-step';

/** Why a preview does not show the whole change, so that nothing may be concluded from it. */
export type PreviewGap =
  | { readonly kind: 'empty' }
  | { readonly kind: 'corrupt' }
  | { readonly kind: 'failed'; readonly messages: readonly string[] }
  | { readonly kind: 'sames-missing'; readonly hiddenSteps: number }
  | { readonly kind: 'assertions-missing'; readonly name: string };

/** A preview as `pulumi preview --json --show-sames` printed it. */
export interface PreviewDocument {
  readonly stack?: string;
  readonly project?: string;
  readonly steps: readonly PreviewStep[];
  /** Empty when the preview shows the whole stack. */
  readonly gaps: readonly PreviewGap[];
}

/** The text given as a preview is none. */
export class NotAPreviewError extends Error {
  override readonly name = 'NotAPreviewError';
}

const KNOWN_KEYS = ['steps', 'diagnostics', 'changeSummary', 'duration', 'config'];

/**
 * Reads what the CLI printed. A preview that failed or hides resources is read too, and says so in `gaps`; text that
 * is no preview throws {@link NotAPreviewError}.
 */
export function readPreviewDocument(text: string): PreviewDocument {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (trimmed === '') return { steps: [], gaps: [{ kind: 'empty' }] };
  const document = tryParseJson(trimmed)?.value;
  if (!isObject(document) || !KNOWN_KEYS.some((key) => key in document))
    throw new NotAPreviewError(adviceFor(trimmed));
  const steps = asArray(document['steps']).map(readStep);
  return { ...nameOfStack(steps), steps, gaps: gapsOf(document, steps) };
}

function adviceFor(text: string): string {
  const firstLine = asObject(tryParseJson(text.split('\n', 1)[0] ?? '')?.value);
  if (firstLine && 'sequence' in firstLine) {
    return 'This is a stream of engine events: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW and preview again.';
  }
  return 'This is not the JSON of a preview: make one with `pulumi preview --json --show-sames`.';
}

function nameOfStack(steps: readonly PreviewStep[]): { stack?: string; project?: string } {
  const first = steps[0];
  return first ? { stack: first.urn.stack, project: first.urn.project } : {};
}

function gapsOf(document: JsonObject, steps: readonly PreviewStep[]): PreviewGap[] {
  const gaps: PreviewGap[] = [];
  const messages = asArray(document['diagnostics'])
    .map(asObject)
    .filter((diagnostic) => diagnostic?.['severity'] === 'error')
    .map((diagnostic) => asString(diagnostic?.['message']) ?? '');
  if (messages.length > 0) gaps.push({ kind: 'failed', messages });
  if (document['maybeCorrupt'] === true) gaps.push({ kind: 'corrupt' });
  const hiddenSteps = countedSames(document) - steps.filter((step) => step.op === 'same').length;
  if (hiddenSteps > 0) gaps.push({ kind: 'sames-missing', hiddenSteps });
  return gaps;
}

/** The summary counts unchanged resources even where the steps leave them out: that gives a short preview away. */
function countedSames(document: JsonObject): number {
  const count = asObject(document['changeSummary'])?.['same'];
  return typeof count === 'number' ? count : 0;
}
