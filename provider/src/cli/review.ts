import type { ReviewRequest } from '../review';
import {
  AssertionFileError,
  CORPUS,
  DEFAULT_ASSUMPTIONS,
  NotAPreviewError,
  readAssertionFile,
  readPreviewDocument,
  renderJson,
  renderMarkdown,
  renderSarif,
  renderText,
  reviewPreview,
} from '../review';
import type { Assumptions, AssertionSet, CorpusEntry, FailOn, Outcome, Report } from '../review';

/** The formats of a report. */
export const REVIEW_FORMATS = ['markdown', 'json', 'sarif', 'text'] as const;

/** What the command line asks for. */
export interface ReviewOptions {
  /** A file with the preview's JSON; `-` reads standard input. Not with `stack`. */
  readonly preview?: string;
  /** Preview this stack, in the current directory, instead of reading a file. */
  readonly stack?: string;
  readonly format: (typeof REVIEW_FORMATS)[number];
  readonly failOn: FailOn;
  /** Assertion files; the default file is read if it exists. */
  readonly assertionFiles: readonly string[];
  /** Files with one user agent a line, added to the corpus. */
  readonly userAgentFiles: readonly string[];
  readonly assumptions: Partial<Assumptions>;
  /** Where the Pulumi project lies in the repository, for SARIF. */
  readonly sourceRoot: string;
}

/** What the command needs of its surroundings. */
export interface ReviewSurroundings {
  readonly readFile: (path: string) => string;
  readonly fileExists: (path: string) => boolean;
  readonly readStandardInput: () => string;
  /** Runs a preview of a stack and returns what it printed. */
  readonly runPreview: (stack: string) => string;
  readonly isTerminal: boolean;
  /** The current day, as `2027-01-31`. */
  readonly today: () => string;
}

/** What the command prints and ends with. */
export interface ReviewResult {
  readonly exitCode: 0 | 1 | 2 | 3;
  readonly stdout: string;
  readonly stderr: string;
}

/** The assertion file that is read without being asked for. */
export const DEFAULT_ASSERTION_FILE = 'edge-policy.assertions.json';

const EXIT_CODES: Readonly<Record<Outcome, 0 | 1 | 2>> = { clear: 0, findings: 1, 'not-decidable': 2 };

/** `edge-policy review`: reads a preview and says what it means for who gets in. */
export function review(options: ReviewOptions, surroundings: ReviewSurroundings): ReviewResult {
  try {
    const document = readPreviewDocument(previewText(options, surroundings));
    const report = reviewPreview(document, requestOf(options, surroundings));
    return {
      exitCode: EXIT_CODES[report.verdict.outcome],
      stdout: render(report, options, surroundings),
      stderr: '',
    };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { exitCode: 3, stdout: '', stderr: `${error.message}\n` };
  }
}

function previewText(options: ReviewOptions, surroundings: ReviewSurroundings): string {
  if (options.stack !== undefined) return surroundings.runPreview(options.stack);
  const path = options.preview ?? '-';
  return path === '-' ? surroundings.readStandardInput() : surroundings.readFile(path);
}

function requestOf(options: ReviewOptions, surroundings: ReviewSurroundings): ReviewRequest {
  const corpus = [
    ...CORPUS,
    ...options.userAgentFiles.flatMap((path) => corpusOf(surroundings.readFile(path))),
  ];
  return {
    context: { assumptions: { ...DEFAULT_ASSUMPTIONS, ...options.assumptions }, corpus },
    assertions: readAssertions(options, surroundings),
    today: surroundings.today(),
    failOn: options.failOn,
  };
}

const corpusOf = (text: string): CorpusEntry[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ label: line, userAgent: line }));

function readAssertions(options: ReviewOptions, surroundings: ReviewSurroundings): AssertionSet {
  const isDefault = options.assertionFiles.length === 0 && surroundings.fileExists(DEFAULT_ASSERTION_FILE);
  const paths = isDefault ? [DEFAULT_ASSERTION_FILE] : options.assertionFiles;
  const sets = paths.map((path) => readAssertionFile(surroundings.readFile(path), path));
  return {
    assertions: sets.flatMap((set) => set.assertions),
    waivers: sets.flatMap((set) => set.waivers),
  };
}

function render(report: Report, options: ReviewOptions, { isTerminal }: ReviewSurroundings): string {
  switch (options.format) {
    case 'json':
      return renderJson(report);
    case 'sarif':
      return renderSarif(report, { sourceRoot: options.sourceRoot });
    case 'text':
      return renderText(report, { hasColours: isTerminal });
    case 'markdown':
      return renderMarkdown(report);
  }
}

/** Errors of input and surroundings say all in their message; anything else is a defect and keeps its stack. */
function isExpected(error: unknown): error is Error {
  return (
    error instanceof NotAPreviewError ||
    error instanceof AssertionFileError ||
    (error instanceof Error && 'code' in error)
  );
}
