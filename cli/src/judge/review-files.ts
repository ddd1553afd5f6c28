// The files that the commands of the review read and print.
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  type AssertionSet,
  GuardFileError,
  mergeAssertions,
  NotAPreviewError,
  NotAStateError,
  readAssertionFile,
  readPlan,
  renderJson,
  renderMarkdown,
  renderPlan,
  renderSarif,
  renderText,
  type Report,
  type ReviewedPlan,
} from 'pulumi-edge-policy-review';

/** The formats of a report. */
export const REVIEW_FORMATS = ['markdown', 'json', 'sarif', 'text'] as const;

/** One of {@link REVIEW_FORMATS}. */
export type ReviewFormat = (typeof REVIEW_FORMATS)[number];

/** The assertion file that is read by default. */
export const DEFAULT_ASSERTION_FILE = 'edge-policy.assertions.json';

/** The locations of the files. */
export interface FileSources {
  readonly readFile: (path: string) => string;
  readonly fileExists: (path: string) => boolean;
}

/** The named assertion files; the default one if none is named and it exists. */
export function readAssertions(files: readonly string[], sources: FileSources): AssertionSet {
  const isDefault = files.length === 0 && sources.fileExists(DEFAULT_ASSERTION_FILE);
  return readAssertionFiles(isDefault ? [DEFAULT_ASSERTION_FILE] : files, sources);
}

/** Merges several assertion files. */
export const readAssertionFiles = (
  paths: readonly string[],
  sources: Pick<FileSources, 'readFile'>,
): AssertionSet =>
  inWordsForUsers(() => mergeAssertions(paths.map((path) => readAssertionFile(read(path, sources), path))));

/** A plan that was reviewed. */
export const readPlanFile = (path: string, sources: Pick<FileSources, 'readFile'>): ReviewedPlan =>
  inWordsForUsers(() => readPlan(read(path, sources), path));

/** The text of a file. */
export function read(path: string, { readFile }: Pick<FileSources, 'readFile'>): string {
  try {
    return readFile(path);
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${error instanceof Error ? error.message : ''}`);
  }
}

const isForUsers = (error: unknown): error is Error =>
  [NotAPreviewError, NotAStateError, GuardFileError].some((kind) => error instanceof kind);

/** The review does not know the command line; what it refuses is a mistake of the user. */
export function inWordsForUsers<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isForUsers(error)) throw new UserError(error.message);
    throw error;
  }
}

/** How a report is written. */
export interface Rendering {
  readonly format: ReviewFormat | 'plan';
  /** The folder of the Pulumi project in the repository, for SARIF. */
  readonly sourceRoot: string;
  readonly hasColours: boolean;
}

/** The report in a format. */
export function render(report: Report, { format, sourceRoot, hasColours }: Rendering): string {
  switch (format) {
    case 'json':
      return renderJson(report);
    case 'sarif':
      return renderSarif(report, { sourceRoot });
    case 'text':
      return renderText(report, { hasColours });
    case 'plan':
      return renderPlan(report.plan.plan);
    case 'markdown':
      return renderMarkdown(report);
  }
}
