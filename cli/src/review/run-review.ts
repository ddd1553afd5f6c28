// What for: the command `review`: reads a preview and its guards, and writes reports.
// Must not know: `drift`, and how anything is judged or worded.
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type Assumptions,
  type BaseAssertions,
  CORPUS,
  type CorpusEntry,
  type FailOn,
  type FeedRevisions,
  type GuardSources,
  type PreviewDocument,
  readPreviewDocument,
  type ReviewedPlan,
} from 'pulumi-edge-policy-review';
import {
  inWordsForUsers,
  read,
  readAssertionFiles,
  readAssertions,
  readPlanFile,
  REVIEW_FORMATS,
  type ReviewFormat,
} from '../judge/review-files';
import type { Judge } from '../judge/judge-case';
import type { LiveObjects } from './read-live';
import type { ExitCode } from '../command/context';

/** The outputs that can be written to a file: the formats, and the reviewed plan. */
export const FILE_FORMATS = [...REVIEW_FORMATS, 'plan'] as const;

/** A file to write the report to, besides what is printed. */
export interface ReportFile {
  readonly format: (typeof FILE_FORMATS)[number];
  readonly path: string;
}

/** The request for a review. */
export interface ReviewOptions {
  readonly format: ReviewFormat;
  /** Further formats of the report, all from one review. */
  readonly files: readonly ReportFile[];
  /** The stack that the preview must be of, as `STACK`, `ORGANIZATION/STACK` or `ORGANIZATION/PROJECT/STACK`. */
  readonly stack?: string;
  /** Absent if the assertion files or the default decide; of two thresholds the stricter counts. */
  readonly failOn?: FailOn;
  /** Whether any gain of access is refused. */
  readonly noNewAccess: boolean;
  /** The addresses that must not be locked out. */
  readonly mustAllow: readonly Cidr[];
  /** The assertion files of the revision that the change is against. */
  readonly baseAssertionFiles: readonly string[];
  /** The hash of the change of guards that another person has accepted. */
  readonly acceptedGuards?: string;
  /** The output of `pulumi stack export`, which the preview's side before the change is compared with. */
  readonly stateFile?: string;
  /** The file with the approved plan: the preview must plan the same, and its findings are known. */
  readonly expectedPlanFile?: string;
  /** Assertion files; the default file is read if none is named and it exists. */
  readonly assertionFiles: readonly string[];
  /** Files with one user agent a line, added to the corpus. */
  readonly userAgentFiles: readonly string[];
  readonly assumptions: Partial<Assumptions>;
  /** The folder of the Pulumi project in the repository, for SARIF. */
  readonly sourceRoot: string;
  readonly isLive: boolean;
}

/** The sources of a review. */
export interface ReviewSources {
  /** The preview's JSON. */
  readonly preview: () => Promise<string>;
  readonly readFile: (path: string) => string;
  readonly fileExists: (path: string) => boolean;
  readonly writeFile: (path: string, text: string) => void;
  /** What the service holds besides the stack. */
  readonly live: (preview: PreviewDocument) => Promise<LiveObjects>;
  /** The published networks of the change and of its base; absent if there are none. */
  readonly feeds: () => Promise<FeedRevisions | undefined>;
  /** The time of the review, RFC 3339 in UTC. */
  readonly now: string;
  readonly judge: Judge;
  readonly isTerminal: boolean;
}

/** The report and the exit code that goes with it. */
export interface ReviewResult {
  readonly exitCode: ExitCode;
  readonly output: string;
}

/**
 * Reviews a preview: says what it means for who gets in.
 *
 * @throws UserError for input that cannot be used.
 */
export async function runReview(options: ReviewOptions, sources: ReviewSources): Promise<ReviewResult> {
  const { format, files, sourceRoot } = options;
  const corpus = [...CORPUS, ...options.userAgentFiles.flatMap((path) => readCorpus(path, sources))];
  const guards = readGuards(options, sources);
  const expected = readExpected(options, sources);
  const state = options.stateFile === undefined ? undefined : read(options.stateFile, sources);
  const preview = await sources.preview();
  const feeds = await sources.feeds();
  const live = options.isLive
    ? await sources.live(inWordsForUsers(() => readPreviewDocument(preview)))
    : undefined;
  const { exitCode, texts } = sources.judge({
    preview,
    ...(state !== undefined && { state }),
    guards: { ...guards, ...(feeds && { feeds }) },
    ...askedBy(options),
    assumptions: options.assumptions,
    corpus,
    request: {
      now: sources.now,
      mustAllow: options.mustAllow,
      ...(expected && { expected }),
      ...live,
      ...(feeds && { feeds }),
      ...(options.stack !== undefined && { stack: options.stack }),
    },
    renderings: [
      { format, sourceRoot, hasColours: sources.isTerminal },
      ...files.map((file) => ({ format: file.format, sourceRoot, hasColours: false })),
    ],
  });
  const [output = '', ...written] = texts;
  files.forEach(({ path }, index) => {
    sources.writeFile(path, written[index] ?? '');
  });
  return { exitCode, output };
}

/** The approved findings were judged then. What still counts is that nothing else is planned, and what this call demands. */
function askedBy({ failOn, noNewAccess, assumptions: models, expectedPlanFile }: ReviewOptions) {
  if (expectedPlanFile !== undefined)
    return { asked: { failOn: failOn ?? ('never' as const), noNewAccess, models }, ignoresGate: true };
  return { asked: { ...(failOn && { failOn }), noNewAccess, models }, ignoresGate: false };
}

function readGuards(options: ReviewOptions, sources: ReviewSources): GuardSources {
  const base = readBase(options, sources);
  const { acceptedGuards: accepted } = options;
  return {
    assertions: readAssertions(options.assertionFiles, sources),
    ...(base && { base }),
    ...(accepted !== undefined && { accepted }),
  };
}

/** If the base cannot be read, or not by today's rules, the change is still reviewed. */
function readBase({ baseAssertionFiles }: ReviewOptions, sources: ReviewSources): BaseAssertions | undefined {
  if (baseAssertionFiles.length === 0) return undefined;
  try {
    return { assertions: readAssertionFiles(baseAssertionFiles, sources) };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

function readExpected(
  { expectedPlanFile: path }: ReviewOptions,
  sources: ReviewSources,
): ReviewedPlan | undefined {
  return path === undefined ? undefined : readPlanFile(path, sources);
}

const readCorpus = (path: string, sources: ReviewSources): CorpusEntry[] =>
  read(path, sources)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ label: line, userAgent: line }));
