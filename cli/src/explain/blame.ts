import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CliContext } from '../command/context';
import type { Answer, Blame } from 'pulumi-edge-policy-review';
import { Git, GitProblem } from './git';

/** A line of a file in the last commit; the path is relative to the repository. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/**
 * The commit that added the deciding line: in the program, or in the one file that contains the network.
 *
 * @param folder The folder of the Pulumi project, to which places in the program are relative.
 */
export async function blameOf(
  { origin, cidr }: Pick<Answer, 'cidr' | 'origin'>,
  folder: string,
  context: Pick<CliContext, 'environment'>,
): Promise<Blame | undefined> {
  if (!origin) return undefined;
  try {
    const prefix = (await new Git(folder, context).ask(['rev-parse', '--show-prefix'])).trim();
    const top = (await new Git(folder, context).ask(['rev-parse', '--show-toplevel'])).trimEnd();
    // Paths in answers and questions are relative to the repository.
    const git = new Git(top, context);
    const head = (await git.ask(['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}'])).trim();
    const { source } = origin;
    const file = source && path.posix.join(prefix, source.file);
    const isInside = file !== undefined && !file.startsWith('..');
    const declared = isInside && source ? { file, line: source.line } : undefined;
    const hits = cidr === undefined ? [] : await linesWith(git, head, cidr);
    return await commitOf(git, head, placeOf(hits, declared));
  } catch (error) {
    if (error instanceof GitProblem) return { problem: error.message };
    throw error;
  }
}

/** The line with the network that is nearest to where the program makes the resource, or the only one in the repository. */
function placeOf(hits: readonly Place[], declared: Place | undefined): Place {
  const own = hits.filter(({ file }) => file === declared?.file);
  const [nearest] = own.sort((one, other) => distance(one, declared) - distance(other, declared));
  if (nearest) return nearest;
  const [first] = hits;
  if (first && hits.length === 1) return first;
  if (declared) return declared;
  throw new GitProblem(
    first
      ? `the network appears in ${hits.length} places, such as ${first.file}:${first.line}, and it is unclear which one is meant`
      : 'the last commit does not contain the network as text, and it is unknown where the program creates the resource',
  );
}

const distance = (place: Place, declared: Place | undefined): number =>
  Math.abs(place.line - (declared?.line ?? 0));

/** Where the network appears in the files of a commit, with or without the mask of a single address. */
async function linesWith(git: Git, commit: string, cidr: string): Promise<Place[]> {
  const parsed = parseCidr(cidr);
  if (!parsed.ok) return [];
  const [address = ''] = cidr.split('/', 1);
  const isSingle = parsed.cidr.prefixLength === (parsed.cidr.family === 4 ? 32 : 128);
  const text = isSingle ? address : cidr;
  const found = await git
    .ask([
      ...['grep', '-z', '-n', '-I', '-F', '-i', '--full-name', '--no-color', '--no-column', '--no-textconv'],
      ...['--no-recurse-submodules', '-e', text, commit, '--'],
    ])
    .catch((error: unknown) => {
      if (error instanceof GitProblem && error.exitCode === NOT_FOUND) return '';
      throw error;
    });
  const mask = isSingle ? `(?:/${parsed.cidr.prefixLength})?(?![\\w.:/])` : '(?!\\d)';
  const alone = new RegExp(`(?<![\\w.:])${text.replaceAll('.', '\\.')}${mask}`, 'i');
  return [...found.matchAll(HIT)].flatMap(([, file = '', line = '', content = '']) =>
    alone.test(content) ? [{ file: file.slice(commit.length + 1), line: Number(line) }] : [],
  );
}

const NOT_FOUND = 1;
/** A path may contain line ends. */
const HIT = /([^\0]*)\0(\d+)\0(.*)\n/g;

/** The author of the line. Names are read from the commit itself, as a file of the repository can replace them. */
async function commitOf(git: Git, head: string, { file, line }: Place): Promise<Blame> {
  const blamed = await git.ask([
    ...[
      'blame',
      '--porcelain',
      '--no-textconv',
      '--ignore-revs-file=',
      '-L',
      `${line},${line}`,
      head,
      '--',
      file,
    ],
  ]);
  const [hash = ''] = /^[0-9a-f]{40,64}/.exec(blamed) ?? [];
  if (hash === '') throw new GitProblem(`the last commit has no line ${line} in ${file}`);
  const commit = await git.ask(['cat-file', 'commit', hash]);
  const [header = '', ...body] = commit.split('\n\n');
  const author = /^author (.*) <[^>]*> (\d+) [+-]\d{4}$/m.exec(header);
  return {
    ...{ file, line, commit: hash.slice(0, SHORT_HASH) },
    date: author ? new Date(Number(author[2]) * 1000).toISOString().slice(0, 10) : '',
    author: author?.[1] ?? '',
    subject: body.join('\n\n').split('\n', 1)[0] ?? '',
    ...((await oldestIn(git)).has(hash) && { isOldestKnown: true as const }),
  };
}

const SHORT_HASH = 10;

/** The commits at which the history of a shallow clone is cut off. */
async function oldestIn(git: Git): Promise<ReadonlySet<string>> {
  const isShallow = (await git.ask(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  if (!isShallow) return new Set();
  const file = (await git.ask(['rev-parse', '--path-format=absolute', '--git-path', 'shallow'])).trim();
  return new Set(readFileSync(file, 'utf8').split('\n'));
}
