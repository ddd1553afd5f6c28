// The files that the commands of the review read and print.
import { closeSync, constants, fstatSync, openSync, readFileSync, readdirSync } from 'node:fs';
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

export const readAssertionFiles = (
  names: readonly string[],
  cwd: string,
  readOne = readAssertionFile,
): AssertionSet =>
  inWordsForUsers(() => mergeAssertions(names.map((name) => readOne(read(name, cwd), name))));

export const readPlanFile = (name: string, cwd: string): ReviewedPlan =>
  inWordsForUsers(() => readPlan(read(name, cwd), name));

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

const FOR_USERS = [NotAPreviewError, NotAStateError, DocumentError];

/** The review does not know the command line; what it refuses is a mistake of the user. */
export function inWordsForUsers<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (FOR_USERS.some((kind) => error instanceof kind)) throw new UserError((error as Error).message);
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

// The assertion files next to a program: one for all of its stacks, and one for each.

export const COMMON_ASSERTION_FILE = 'edge-policy.assertions.json';

/** The file of one stack, by the last part of its name, as in `Pulumi.STACK.yaml`. */
export const assertionFileOf = (stack: string): string =>
  `edge-policy.assertions.${stack.slice(stack.lastIndexOf('/') + 1)}.json`;

/** The files of a stack in a folder. @throws UserError for a name that differs only in case, which some file systems do not find. */
export async function defaultAssertionFiles(
  cwd: string,
  stackName: () => Promise<string>,
): Promise<string[]> {
  const present = namesIn(cwd).filter((name) => /^edge-policy\.assertions\.(?:.+\.)?json$/i.test(name));
  const isOfStack = (name: string) => name.toLowerCase() !== COMMON_ASSERTION_FILE;
  const wanted = [
    COMMON_ASSERTION_FILE,
    ...(present.some(isOfStack) ? [assertionFileOf(await stackName())] : []),
  ];
  for (const name of wanted) {
    const other = present.find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
    if (other !== undefined)
      throw new UserError(
        `${other} differs only in case from ${name}, the name that counts: rename or remove it.`,
      );
  }
  return wanted.filter((name) => present.includes(name));
}

/** The named assertion files of a folder; if none is named, those of the stack that exist. */
export const readAssertions = async (
  files: readonly string[],
  cwd: string,
  stackName: () => Promise<string>,
): Promise<AssertionSet> =>
  readAssertionFiles(files.length > 0 ? files : await defaultAssertionFiles(cwd, stackName), cwd);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whatever is named in it cannot be read either, and is reported.
    return [];
  }
}
