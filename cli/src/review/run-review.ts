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
  type TrafficLog,
  witnessesIn,
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
import { assumptionsOf } from '../judge/assumption-options';
import type { Case, Judge } from '../judge/judge-case';
import type { LiveObjects } from './read-live';
import type { ExitCode } from '../command/context';

/** The outputs that can be written to a file: the formats, and the reviewed plan. */
export const FILE_FORMATS = [...REVIEW_FORMATS, 'plan'] as const;

/** A file to write the report to, besides what is printed. */
export interface ReportFile {
  readonly format: (typeof FILE_FORMATS)[number];
  readonly path: string;
}

/** The options of the command; its help says what each is for. */
export interface ReviewOptions extends Partial<Assumptions> {
  readonly format: ReviewFormat;
  readonly write?: readonly ReportFile[];
  readonly stack?: string;
  readonly failOn?: FailOn;
  readonly newAccess: boolean;
  readonly mustAllow?: readonly Cidr[];
  readonly assertions?: readonly string[];
  readonly baseAssertions?: readonly string[];
  readonly acceptGuards?: string;
  readonly state?: string;
  readonly expect?: string;
  readonly userAgents?: readonly string[];
  readonly sourceRoot: string;
  readonly live?: true;
  readonly anonymise?: true;
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
  /** The clients of access logs, if logs can be named. */
  readonly traffic?: () => Promise<readonly TrafficLog[]>;
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
  const { format, write = [], sourceRoot, userAgents = [], mustAllow = [] } = options;
  const guards = readGuards(options, sources);
  const expected = options.expect === undefined ? undefined : readPlanFile(options.expect, sources);
  const state = options.state === undefined ? undefined : read(options.state, sources);
  const preview = await sources.preview();
  const feeds = await sources.feeds();
  const logs = (await sources.traffic?.()) ?? [];
  const witnesses = witnessesIn(logs);
  const corpus = [
    ...(witnesses.length > 0 ? witnesses : CORPUS),
    ...userAgents.flatMap((path) => readCorpus(path, sources)),
  ];
  const given = {
    preview,
    ...(state !== undefined && { state }),
    guards: { ...guards, ...(feeds && { feeds }) },
    ...askedBy(options),
    assumptions: assumptionsOf(options),
    corpus,
    request: {
      now: sources.now,
      mustAllow,
      ...(expected && { expected }),
      ...(feeds && { feeds }),
      ...(logs.length > 0 && { traffic: { logs, isAnonymised: options.anonymise === true } }),
      ...(options.stack !== undefined && { stack: options.stack }),
    },
    renderings: [
      { format, sourceRoot, hasColours: sources.isTerminal },
      ...write.map((file) => ({ format: file.format, sourceRoot, hasColours: false })),
    ],
  };
  const judged = sources.judge(given);
  const { exitCode, texts } =
    options.live && judged.isWhole ? sources.judge(await withLive(given, sources)) : judged;
  const [output = '', ...written] = texts;
  write.forEach(({ path }, index) => {
    sources.writeFile(path, written[index] ?? '');
  });
  return { exitCode, output };
}

/** Only a preview that has been judged within limits is read here as well, where there are none. */
async function withLive(given: Case, { live }: ReviewSources): Promise<Case> {
  const objects = await live(inWordsForUsers(() => readPreviewDocument(given.preview)));
  return { ...given, request: { ...given.request, ...objects } };
}

/** The approved findings were judged then. What still counts is that nothing else is planned, and what this call demands. */
function askedBy({ failOn, newAccess, expect, ...options }: ReviewOptions) {
  const asked = { noNewAccess: !newAccess, models: assumptionsOf(options) };
  if (expect !== undefined)
    return { asked: { failOn: failOn ?? ('never' as const), ...asked }, ignoresGate: true };
  return { asked: { ...(failOn && { failOn }), ...asked }, ignoresGate: false };
}

function readGuards(options: ReviewOptions, sources: ReviewSources): GuardSources {
  const base = readBase(options, sources);
  const { acceptGuards: accepted, assertions = [] } = options;
  return {
    assertions: readAssertions(assertions, sources),
    ...(base && { base }),
    ...(accepted !== undefined && { accepted }),
  };
}

/** If the base cannot be read, or not by today's rules, the change is still reviewed. */
function readBase(
  { baseAssertions = [] }: ReviewOptions,
  sources: ReviewSources,
): BaseAssertions | undefined {
  if (baseAssertions.length === 0) return undefined;
  try {
    return { assertions: readAssertionFiles(baseAssertions, sources) };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

const readCorpus = (path: string, sources: ReviewSources): CorpusEntry[] =>
  read(path, sources)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => ({ label: line, userAgent: line }));
