import path from 'node:path';
import { parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { CliContext } from '../command/context';
import type { Blame } from 'pulumi-edge-policy-review';
import { Git, GitProblem } from './git';

/** What made a decision: its network and, if a resource declares it, the line of the program that makes that, if it is known. */
interface Deciding {
  readonly cidr?: string;
  readonly origin?: { readonly source?: Place | undefined };
}

/** A line of a file in the last commit; the path is relative to the repository. */
interface Place {
  readonly file: string;
  readonly line: number;
}

/**
 * The commits that added the deciding lines: in the program, or in the one file that contains the network. There may be thousands:
 * the repository is searched once, and each file is blamed once.
 *
 * @param folder The folder of the Pulumi project, to which places in the program are relative.
 */
export async function blamesOf(
  asked: readonly Deciding[],
  folder: string,
  context: Pick<CliContext, 'environment'>,
): Promise<(Blame | undefined)[]> {
  try {
    const { prefix, git, head } = await openRepository(folder, context);
    const hits = await linesWith(
      git,
      head,
      asked.flatMap(({ cidr }) => networkText(cidr) ?? []),
    );
    const places = asked.map(({ origin, cidr }): Place | Problem | undefined => {
      const file = origin?.source && path.posix.join(prefix, origin.source.file);
      const isInside = file !== undefined && !file.startsWith('..');
      const declared = isInside && origin?.source ? { file, line: origin.source.line } : undefined;
      return origin && placeOf(hits.get(networkText(cidr) ?? '') ?? [], declared);
    });
    const lines = await commitsOf(
      git,
      head,
      places.filter((place) => place !== undefined),
    );
    return places.map((place) => place && lines(place));
  } catch (error) {
    if (!(error instanceof GitProblem)) throw error;
    return asked.map(({ origin }) => origin && { problem: error.message });
  }
}

/** @throws GitProblem for a shallow clone, too: it would name whoever made the oldest commit that is there. */
async function openRepository(folder: string, context: Pick<CliContext, 'environment'>) {
  const facts = ['--show-prefix', '--is-shallow-repository', '--show-toplevel'];
  const [prefix = '', isShallow, ...top] = (
    await new Git(folder, context).ask(['rev-parse', ...facts])
  ).split('\n');
  if (isShallow === 'true')
    throw new GitProblem('this clone is shallow: fetch its history with "git fetch --unshallow"');
  // Paths in answers and questions are relative to the repository.
  const git = new Git(top.join('\n').trimEnd(), context);
  const head = git.ask(['rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}']).catch(() => {
    throw new GitProblem('the repository has no commit yet: commit the program first');
  });
  return { prefix, git, head: (await head).trim() };
}

type Problem = Extract<Blame, { readonly problem: string }>;

/** The line with the network that is nearest to where the program makes the resource, or the only one in the repository. */
function placeOf(hits: readonly Place[], declared: Place | undefined): Place | Problem {
  const own = hits.filter(({ file }) => file === declared?.file);
  const [nearest] = own.sort((one, other) => distance(one, declared) - distance(other, declared));
  if (nearest) return nearest;
  const [first] = hits;
  if (first && hits.length === 1) return first;
  if (declared) return declared;
  const problem = first
    ? `the network appears in ${hits.length} places, such as ${first.file}:${first.line}, and it is unclear which one is meant`
    : 'the last commit does not contain the network as text, and it is unknown where the program creates the resource';
  return { problem };
}

const distance = (place: Place, declared: Place | undefined): number =>
  Math.abs(place.line - (declared?.line ?? 0));

/** How files write a network: a single address has no mask there. */
function networkText(cidr: string | undefined): string | undefined {
  const parsed = cidr === undefined ? undefined : parseCidr(cidr);
  if (parsed?.ok !== true) return undefined;
  const { prefixLength, family } = parsed.cidr;
  return prefixLength === (family === 4 ? 32 : 128) ? cidr?.split('/', 1)[0] : cidr;
}

/** With more networks as patterns git is slow, so it looks for everything that is like one: too much in a large repository. */
const MANY = 50;
const LIKE_A_NETWORK = String.raw`[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+|[0-9a-fA-F]*:[0-9a-fA-F.]*:[0-9a-fA-F:.]*`;
const NETWORKS = /(?<![\w.:])([\da-f]*[.:][\da-f.:]*)(\/\d+)?(?![\w:/])/gi;
/** The mask of a single address. */
const SINGLE = /\/(?:32|128)$/;

/** Where these texts of networks appear in the files of a commit, with or without the mask of a single address. */
async function linesWith(git: Git, commit: string, texts: readonly string[]): Promise<Map<string, Place[]>> {
  const places = new Map(texts.map((text): [string, Place[]] => [text, []]));
  if (places.size === 0) return places;
  const patterns =
    places.size > MANY
      ? ['-E', '-e', LIKE_A_NETWORK]
      : ['-F', '-i', ...[...places.keys()].flatMap((text) => ['-e', text])];
  const found = await git
    .ask([
      ...['grep', '-z', '-n', '-I', '--full-name', '--no-color', '--no-column', '--no-textconv'],
      ...['--no-recurse-submodules', ...patterns, commit, '--'],
    ])
    .catch((error: unknown) => {
      if (error instanceof GitProblem && error.exitCode === NOT_FOUND) return '';
      throw error;
    });
  for (const [, file = '', line = '', content = ''] of found.matchAll(HIT)) {
    const named = Array.from(content.matchAll(NETWORKS), ([text]) => text.toLowerCase());
    for (const text of new Set(named.map((each) => (places.has(each) ? each : each.replace(SINGLE, '')))))
      places.get(text)?.push({ file: file.slice(commit.length + 1), line: Number(line) });
  }
  return places;
}

const NOT_FOUND = 1;
/** A path may contain line ends. */
const HIT = /([^\0]*)\0(\d+)\0(.*)\n/g;

/** The authors of lines, each file blamed once. */
async function commitsOf(git: Git, head: string, places: readonly (Place | Problem)[]) {
  const files = new Map<string, BlamedFile>();
  for (const file of new Set(places.flatMap((place) => ('file' in place ? place.file : []))))
    files.set(file, await blamedLines(git, head, file));
  const commits = new Map<string, Awaited<ReturnType<typeof readCommit>>>();
  for (const hash of new Set([...files.values()].flatMap(({ hashes }) => [...hashes.values()])))
    commits.set(hash, await readCommit(git, hash));
  return (place: Place | Problem): Blame => {
    if ('problem' in place) return place;
    const blamed = files.get(place.file);
    const commit = commits.get(blamed?.hashes.get(place.line) ?? '');
    if (!commit)
      return { problem: blamed?.problem ?? `the last commit has no line ${place.line} in ${place.file}` };
    return { ...place, ...commit };
  };
}

/** The commits of the lines of a file, or why they are not known. */
interface BlamedFile {
  readonly hashes: ReadonlyMap<number, string>;
  readonly problem?: string;
}

async function blamedLines(git: Git, head: string, file: string): Promise<BlamedFile> {
  const options = ['--porcelain', '--no-textconv', '--ignore-revs-file='];
  try {
    const blamed = await git.ask(['blame', ...options, head, '--', file]);
    const found = Array.from(
      blamed.matchAll(/^([0-9a-f]{40,64}) \d+ (\d+)/gm),
      ([, hash = '', line]) => [Number(line), hash] as const,
    );
    return { hashes: new Map(found) };
  } catch (error) {
    if (error instanceof GitProblem) return { hashes: new Map(), problem: error.message };
    throw error;
  }
}

/** Names are read from the commit itself, as a file of the repository can replace them. */
async function readCommit(git: Git, hash: string) {
  const commit = await git.ask(['cat-file', 'commit', hash]);
  const [header = '', ...body] = commit.split('\n\n');
  const author = /^author (.*) <[^>]*> (\d+) [+-]\d{4}$/m.exec(header);
  return {
    commit: hash.slice(0, SHORT_HASH),
    date: author ? new Date(Number(author[2]) * 1000).toISOString().slice(0, 10) : '',
    author: author?.[1] ?? '',
    subject: body.join('\n\n').split('\n', 1)[0] ?? '',
  };
}

const SHORT_HASH = 10;
