import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Location } from '../command/arguments';
import type { CliAnswer, CliContext } from '../command/context';
import { safeText } from '../command/text';
import { requireStack } from './stack';

interface PreviewDocument {
  readonly diagnostics?: readonly { readonly message?: string; readonly severity?: string }[];
}

const REVIEWABLE = ['preview', '--json', '--show-sames', '--show-replacement-steps'];

/** The JSON of a preview with all that a review needs. One that failed prints what it knows and why it failed, which the review reports. */
export async function reviewablePreview(where: Location, context: CliContext): Promise<string> {
  const { stdout, stderr } = await requireStack(context, where).cli.runOnStack(REVIEWABLE);
  if (stderr !== '') context.note(stderr);
  return stdout;
}

/**
 * The same JSON, for a caller that takes what is not in it for not there.
 *
 * @throws UserError with the CLI's reasons if the preview fails.
 */
export async function completePreview(where: Location, context: CliContext): Promise<string> {
  const result = await requireStack(context, where).cli.runOnStack(REVIEWABLE);
  requireSuccess(result);
  return result.stdout;
}

function requireSuccess({ isSuccess, stdout, stderr }: CliAnswer): PreviewDocument {
  const document = parsed(stdout);
  const errors = (document?.diagnostics ?? []).flatMap(({ severity, message = '' }) =>
    severity === 'error' ? [message] : [],
  );
  if (isSuccess && document !== undefined && errors.length === 0) return document;
  const reasons = errors.length > 0 ? errors : [stderr || stdout];
  throw new UserError(
    `The program cannot be previewed:${reasons.map((reason) => `\n  ${inWords(reason)}`).join('')}`,
  );
}

/** A failed preview is a document, too, unless the CLI could not even begin. */
function parsed(text: string): PreviewDocument | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null ? document : undefined;
  } catch {
    return undefined;
  }
}

const LINES_OF_AN_ERROR = 2;

/** The first lines of a message, without the CLI's colour marks, prefix and stack traces. */
const inWords = (message: string): string =>
  message
    .replace(/<\{%[^%]*%\}>/g, '')
    .split('\n')
    .map((line) => line.trim().replace(/^error: /, ''))
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, LINES_OF_AN_ERROR)
    .map((line) => safeText(line, 300))
    .join(' ');
