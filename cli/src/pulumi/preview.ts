import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { safeText } from '../command/text';
import type { CliAnswer } from '../command/context';
import type { StateResource } from './deployment';
import { InterruptedError } from './interrupts';
import type { Stack } from './stack';

/** One step of `pulumi preview --json`, reduced to what the commands use. Unchanged resources have none. */
export interface PlannedStep {
  readonly op: string;
  readonly urn: string;
  /** The resource as the program declares it; secrets are `[secret]`. */
  readonly newState?: StateResource;
}

/** The content of a preview, even of one that failed. */
export interface Preview {
  readonly steps: readonly PlannedStep[];
  /** Why it failed, in one or two sentences per error; empty if it did not. */
  readonly errors: readonly string[];
}

interface PreviewDocument {
  readonly steps?: readonly PlannedStep[];
  readonly diagnostics?: readonly { readonly message?: string; readonly severity?: string }[];
}

const LINES_OF_AN_ERROR = 2;

/** Previews what the program would do to the stack now; sends nothing to the service. A failed preview is a document, too. */
export async function tryPreview(stack: Stack): Promise<Preview> {
  try {
    return readDocument(await stack.cli.runOnStack(['preview', '--json']));
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    return { steps: [], errors: ['it was interrupted'] };
  }
}

function readDocument({ isSuccess, stdout, stderr }: CliAnswer): Preview {
  const document = parsed(stdout);
  if (document === undefined) return { steps: [], errors: [inWords(stderr || stdout)] };
  const { steps = [], diagnostics = [] } = document;
  const errors = diagnostics.flatMap(({ severity, message = '' }) =>
    severity === 'error' ? [inWords(message)] : [],
  );
  return {
    steps,
    errors: isSuccess || errors.length > 0 ? errors : [inWords(stderr) || 'it failed without a reason'],
  };
}

/**
 * The steps of a preview.
 *
 * @throws UserError with the CLI's reasons if it fails.
 */
export async function readPreview(stack: Stack): Promise<readonly PlannedStep[]> {
  const { steps, errors } = await tryPreview(stack);
  if (errors.length === 0) return steps;
  throw new UserError(
    `The program cannot be previewed:\n${errors
      .map((error) => `  ${error}\n`)
      .join('')
      .trimEnd()}`,
  );
}

function parsed(text: string): PreviewDocument | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null ? document : undefined;
  } catch {
    return undefined;
  }
}

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
