// The files that the commands of the review read and print.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DocumentError } from 'pulumi-edge-policy/internal/values/decoding';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type AssertionSet,
  mergeAssertions,
  NotAPreviewError,
  NotAStateError,
  readAssertionFile,
  readPlan,
  renderJson,
  renderMarkdown,
  renderPlan,
  renderText,
  type Report,
  type ReviewedPlan,
  plain,
  type PreviewDocument,
  readPreviewDocument,
} from 'pulumi-edge-policy-review';

export const REVIEW_FORMATS = ['markdown', 'json', 'text'] as const;

/** One of {@link REVIEW_FORMATS}. */
export type ReviewFormat = (typeof REVIEW_FORMATS)[number];

/** More than any assertion file or plan needs: the plan of 100,000 rules has 10 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Reads a file that the author of a change may have planted: endless files, and pipes without a writer, are refused. */
export function readPlainFile(file: string): string {
  // Opening a pipe for reading would wait for its writer.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new Error(`${file} is not a plain file`);
    if (stats.size > MOST_BYTES)
      throw new Error(`${file} has ${stats.size} bytes, and at most ${MOST_BYTES} are read`);
    return readFileSync(handle, 'utf8');
  } finally {
    closeSync(handle);
  }
}

/** Merges several assertion files. */
export const readAssertionFiles = (
  names: readonly string[],
  cwd: string,
  readOne = readAssertionFile,
): AssertionSet =>
  inWordsForUsers(() => mergeAssertions(names.map((name) => readOne(read(name, cwd), name))));

/** A plan that was reviewed. */
export const readPlanFile = (name: string, cwd: string): ReviewedPlan =>
  inWordsForUsers(() => readPlan(read(name, cwd), name));

/** The text of a file of a change. */
export const read = (name: string, cwd: string): string =>
  textOf(name, () => readPlainFile(path.resolve(cwd, name)));

const STANDARD_INPUT = 0;

/** The text of a preview: of a file, of a pipe, or of standard input for `-`. */
export const readPreviewText = (name: string, cwd: string): string =>
  textOf(name, () => readFileSync(name === '-' ? STANDARD_INPUT : path.resolve(cwd, name), 'utf8'));

function textOf(name: string, readText: () => string): string {
  try {
    return readText();
  } catch (error) {
    throw new UserError(`${name} cannot be read: ${(error as Error).message}`);
  }
}

const isForUsers = (error: unknown): error is Error =>
  [NotAPreviewError, NotAStateError, DocumentError].some((kind) => error instanceof kind);

/** The review does not know the command line; what it refuses is a mistake of the user. */
export function inWordsForUsers<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isForUsers(error)) throw new UserError(error.message);
    throw error;
  }
}

/** Reads a preview for a caller that takes what it lacks for absent. @throws UserError if it does not show the whole change. */
export function readWholePreview(text: string): PreviewDocument {
  const preview = inWordsForUsers(() => readPreviewDocument(text));
  const [gap] = preview.gaps;
  if (gap === undefined) return preview;
  throw new UserError(`The preview does not show the whole change. ${plain(gap)}`);
}

/** How a report is written. */
export interface Rendering {
  readonly format: ReviewFormat | 'plan';
  readonly hasColours: boolean;
  /** The address of the documentation, to which Markdown then links. */
  readonly pages?: string | undefined;
}

export function render(report: Report, { format, hasColours, pages }: Rendering): string {
  switch (format) {
    case 'json':
      return renderJson(report);
    case 'text':
      return renderText(report, { hasColours });
    case 'plan':
      return renderPlan(report.plan.plan);
    case 'markdown':
      return renderMarkdown(report, undefined, pages);
  }
}
