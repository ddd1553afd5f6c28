import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type Assumptions,
  type BaseAssertions,
  CORPUS,
  type FailOn,
  type FeedRevisions,
  type GuardSources,
  programAssertions,
  readPreviewDocument,
  type TrafficLog,
  witnessesIn,
  readBaseAssertionFile,
} from 'pulumi-edge-policy-review';
import {
  inWordsForUsers,
  read,
  readAssertionFiles,
  readPlanFile,
  REVIEW_FORMATS,
  type ReviewFormat,
  readAssertions,
} from '../judge/review-files';
import { assumptionsOf } from '../judge/assumption-options';
import type { Case, Judge } from '../judge/judge-case';
import type { LiveObjects, Reviewed } from './read-live';
import type { ExitCode } from '../command/context';
import { writeReport } from '../command/write-file';

/** The outputs that can be written to a file: the formats, and the reviewed plan. */
export const FILE_FORMATS = [...REVIEW_FORMATS, 'plan'] as const;

export interface ReportFile {
  readonly format: (typeof FILE_FORMATS)[number];
  readonly path: string;
}

export interface ReviewOptions extends Partial<Assumptions> {
  readonly format: ReviewFormat;
  readonly write?: readonly ReportFile[];
  readonly stack?: string;
  readonly failOn?: FailOn;
  readonly newAccess: boolean;
  readonly mustAllow?: readonly Cidr[];
  readonly assertions?: readonly string[];
  readonly baseAssertions?: readonly string[];
  readonly accept?: string;
  readonly state?: string;
  readonly expect?: string;
  readonly live?: true;
  readonly anonymise?: true;
  readonly pages?: string;
}

export interface ReviewSources {
  /** The folder of the files that the options name. */
  readonly cwd: string;
  readonly preview: () => Promise<string>;
  /** The name of the selected stack, asked for if an assertion file is for one. */
  readonly stackName: () => Promise<string>;
  /** The version of the CLI, if it makes the preview. */
  readonly cliVersion?: () => Promise<string>;
  /** What the service holds besides the stack. */
  readonly live?: (reviewed: Reviewed) => Promise<LiveObjects>;
  /** The published networks of the change and of its base; absent if there are none. */
  readonly feeds?: () => Promise<FeedRevisions | undefined>;
  readonly traffic?: () => Promise<readonly TrafficLog[]>;
  /** The time of the review, RFC 3339 in UTC. */
  readonly now: string;
  readonly judge: Judge;
  readonly isTerminal: boolean;
}

export interface ReviewResult {
  readonly exitCode: ExitCode;
  readonly output: string;
}

/** Reviews a preview: says what it means for who gets in. @throws UserError for input that cannot be used. */
export async function runReview(options: ReviewOptions, sources: ReviewSources): Promise<ReviewResult> {
  const { format, write = [], mustAllow = [] } = options;
  const { cwd, live } = sources;
  // If guards are those of the selected stack, the preview has to be of that stack, too.
  let { stack } = options;
  const guards = await readGuards(options, cwd, async () => (stack ??= await sources.stackName()));
  const expected = options.expect === undefined ? undefined : readPlanFile(options.expect, cwd);
  const state = options.state === undefined ? undefined : read(options.state, cwd);
  const preview = await sources.preview();
  const cliVersion = await sources.cliVersion?.();
  const feeds = await sources.feeds?.();
  const logs = (await sources.traffic?.()) ?? [];
  const witnesses = witnessesIn(logs);
  const corpus = witnesses.length > 0 ? witnesses : CORPUS;
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
      ...(options.accept !== undefined && { accepted: options.accept }),
      ...(feeds && { feeds }),
      ...(logs.length > 0 && { traffic: { logs, isAnonymised: options.anonymise === true } }),
      ...(stack !== undefined && { stack }),
      ...(cliVersion !== undefined && { cliVersion }),
    },
    renderings: [
      { format, hasColours: sources.isTerminal, pages: options.pages },
      ...write.map((file) => ({ format: file.format, hasColours: false, pages: options.pages })),
    ],
  };
  const judged = sources.judge(given);
  const { exitCode, texts } =
    options.live && live && judged.isWhole ? sources.judge(await withLive(given, live)) : judged;
  const [output = '', ...written] = texts;
  write.forEach((file, index) => {
    writeReport(path.resolve(cwd, file.path), written[index] ?? '');
  });
  return { exitCode, output };
}

/** Only a preview that has been judged within limits is read here as well, where there are none. */
async function withLive(given: Case, live: NonNullable<ReviewSources['live']>): Promise<Case> {
  const preview = inWordsForUsers(() => readPreviewDocument(given.preview));
  const { assertions, base } = given.guards;
  const sets = [assertions, ...programAssertions(preview.steps, 'new')];
  if (base && 'assertions' in base) sets.push(base.assertions);
  const subjects = new Set(
    sets.flatMap((of) => of.assertions).flatMap(({ subject }) => (subject.isKnown ? subject.value : [])),
  );
  const objects = await live({ preview, subjects });
  return { ...given, request: { ...given.request, ...objects } };
}

/** The approved findings were judged then. What still counts is that nothing else is planned, and what this call demands. */
function askedBy({ failOn, newAccess, expect, ...options }: ReviewOptions) {
  const asked = { noNewAccess: !newAccess, models: assumptionsOf(options) };
  if (expect !== undefined)
    return { asked: { failOn: failOn ?? ('never' as const), ...asked }, ignoresGate: true };
  return { asked: { ...(failOn && { failOn }), ...asked }, ignoresGate: false };
}

async function readGuards(
  options: ReviewOptions,
  cwd: string,
  stackName: ReviewSources['stackName'],
): Promise<GuardSources> {
  const base = readBase(options, cwd);
  const { assertions = [] } = options;
  return { assertions: await readAssertions(assertions, cwd, stackName), ...(base && { base }) };
}

/** If the base cannot be read, or not by today's rules, the change is still reviewed. */
function readBase({ baseAssertions = [] }: ReviewOptions, cwd: string): BaseAssertions | undefined {
  if (baseAssertions.length === 0) return undefined;
  try {
    return { assertions: readAssertionFiles(baseAssertions, cwd, readBaseAssertionFile) };
  } catch (error) {
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}
