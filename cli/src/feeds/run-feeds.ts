// What for: the command `feeds`: fetches published networks and writes the lock. Nothing else in the provider fetches them.
// Must not know: `judge`; neither the service, its API key, nor the state of a stack.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  DECLARATION_FILE,
  type FeedDeclaration,
  readDeclaration,
  withDeclaration,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import {
  findFeedsFolder,
  readDeclarations,
  readFeedFiles,
  requireFeedsFolder,
  textOf,
} from 'pulumi-edge-policy/internal/feeds/feed-files';
import { intactFeed, LOCK_FILE } from 'pulumi-edge-policy/internal/feeds/lock';
import { PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, type ExitCode } from '../command/context';
import { findProjectFolder } from '../pulumi/stack';
import { table } from '../command/text';
import type { AddOptions, Call, UpdateCommandOptions } from './options';
import { changesOf, contentOf, describeOutcome } from './describe-feed';
import { replaceFile } from './document-cache';
import { ambiguityProblems, sourceInWords, statusOfFeeds, undeclaredProblems } from './inspect';
import { fetchFeeds, lockAfter, type Outcome, readLock, writeLock } from './update';

/** `feeds add`: writes nothing unless the document passes all checks. */
export async function add({
  names: [name = ''],
  options,
  folder: from,
  context,
}: Call<AddOptions>): Promise<ExitCode> {
  const folder = findFeedsFolder(from) ?? findProjectFolder(from);
  if (folder === undefined) {
    throw new UserError(
      `There is no Pulumi project in ${from}: go to the folder with Pulumi.yaml, or pass --cwd FOLDER.`,
    );
  }
  const file = path.join(folder, DECLARATION_FILE);
  const text = textOf(file);
  const declarations = text === undefined ? new Map<string, FeedDeclaration>() : readDeclarations(folder);
  if (declarations.has(name)) {
    throw new UserError(
      `The feed "${name}" is declared already: edit ${DECLARATION_FILE} and run "${COMMAND_LINE} feeds update ${name}".`,
    );
  }
  const declared = declarationOf(name, options);
  const problems: string[] = [];
  const feed = readDeclaration(name, declared, problems);
  if (problems.length > 0) throw new UserError(problems.map((problem) => `${problem}.`).join('\n'));
  const lock = readLock(folder);
  const outcomes = await fetchFeeds({ folder, feeds: [feed] }, lock, context);
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  if (!isRefused) {
    writeLock(folder, lockAfter(lock, outcomes, [...declarations.keys(), name]));
    replaceFile(file, printableJson(withDeclaration(text, name, declared)));
  }
  return report(outcomes, {
    context,
    isJson: options.json,
    advice: isRefused ? undefined : `Commit ${DECLARATION_FILE} and ${LOCK_FILE}.`,
  });
}

/** The declaration as written to the file, without absent fields. */
function declarationOf(name: string, options: AddOptions): object {
  const { publisher, url, file, format, pointer, field, select, family, aggregate, maxAgeDays } = options;
  const hasSource = publisher !== undefined || url !== undefined || file !== undefined;
  if (!hasSource && !Object.hasOwn(PUBLISHERS, name)) {
    const known = Object.keys(PUBLISHERS).join(', ');
    throw new UserError(
      `"${name}" is not a known publisher (${known}): name one with --publisher, or a document with --url or --file.`,
    );
  }
  const selection: Record<string, string[]> = {};
  for (const [dimension, value] of select ?? []) (selection[dimension] ??= []).push(value);
  return {
    publisher: publisher ?? (hasSource ? undefined : name),
    url: url?.length === 1 ? url[0] : url,
    ...{ file, format, pointer, field },
    select: select && selection,
    families: family,
    ...{ aggregate, maxAgeDays },
  };
}

/** `feeds update`. */
export async function update({
  names,
  options,
  folder: from,
  context,
}: Call<UpdateCommandOptions>): Promise<ExitCode> {
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  const unknown = names.find((name) => !declarations.has(name));
  if (unknown !== undefined) throw new UserError(`There is no feed "${unknown}" in ${DECLARATION_FILE}.`);
  const accepted = acceptedReason(names, options);
  const feeds = [...declarations.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  const lock = readLock(folder);
  const outcomes = await fetchFeeds({ folder, feeds, accepted }, lock, context);
  const next = lockAfter(lock, outcomes, declarations.keys());
  const isOutOfDate =
    outcomes.some(({ kind }) => kind !== 'unchanged' && kind !== 'refused') || next.size !== lock.size;
  const isWritten = options.check === undefined && isOutOfDate && writeLock(folder, next);
  const advice = isWritten ? `${LOCK_FILE} is written: commit it.` : undefined;
  const exitCode = report(outcomes, { context, isJson: options.json, advice });
  return exitCode === EXIT.done && options.check === true && isOutOfDate ? EXIT.attention : exitCode;
}

const LONGEST_REASON = 300;

function acceptedReason(
  names: readonly string[],
  { accept, check }: UpdateCommandOptions,
): string | undefined {
  if (accept === undefined) return undefined;
  if (names.length !== 1 || check === true)
    throw new UserError('--accept works for one named feed, and not with --check.');
  const reason = accept.trim();
  if (!/^\P{C}+$/u.test(reason) || reason.length > LONGEST_REASON)
    throw new UserError(
      `--accept needs a reason of one line, at most ${LONGEST_REASON} characters: it goes into the lock.`,
    );
  return reason;
}

function report(
  outcomes: readonly Outcome[],
  {
    context,
    isJson,
    advice,
  }: Pick<Call, 'context'> & { readonly isJson?: true | undefined; readonly advice?: string | undefined },
): ExitCode {
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  if (isJson) context.print(printableJson({ feeds: outcomes.map(plainOutcome) }));
  else {
    const remarks = [isRefused ? 'Refused feeds stay unchanged.\n' : [], advice ? `${advice}\n` : []].flat();
    context.print([outcomes.map(describeOutcome).join(''), remarks.join('')].filter(Boolean).join('\n'));
  }
  return isRefused ? EXIT.undecided : EXIT.done;
}

function plainOutcome(outcome: Outcome): object {
  if (outcome.kind === 'refused') return outcome;
  const { name, kind, step } = outcome;
  const { token, digest, checked, accepted } = step.locked;
  return { name, kind, ...{ token, digest, checked, accepted }, ...changesOf(step.before, step.after) };
}

/** `feeds list`. */
export function list({ options, folder, context }: Call): ExitCode {
  const { declarations, lock } = readFeedFiles(folder);
  const feeds = statusOfFeeds(declarations, lock, context.clock.epochMs());
  if (options.json) {
    const plain = feeds.map(({ name, source, feed, problem, isStale }) => {
      const { checked, token } = feed?.locked ?? {};
      return { name, source, networks: feed?.networks.length ?? null, checked, token, isStale, problem };
    });
    context.print(printableJson({ feeds: plain }));
    return EXIT.done;
  }
  const rows = feeds.map(({ name, source, feed, isStale }) => [
    name,
    sourceInWords(source),
    feed === undefined ? 'cannot be used: see "feeds verify"' : contentOf(feed.networks),
    feed === undefined ? '' : `checked ${feed.locked.checked}${isStale ? ' (too long ago)' : ''}`,
  ]);
  context.print(rows.length === 0 ? 'No feeds.\n' : table(rows));
  return EXIT.done;
}

/** `feeds show`. */
export function show({ names: [name = ''], options, folder, context }: Call): ExitCode {
  const { declarations, lock } = readFeedFiles(folder);
  const { locked, networks } = intactFeed(name, declarations, lock);
  if (options.json) {
    context.print(printableJson({ name, ...locked }));
    return EXIT.done;
  }
  const { token, notice, checked, accepted, digest } = locked;
  const facts = Object.entries({ checked, token, accepted, digest, notice }).flatMap(([what, value]) =>
    value === undefined ? [] : [[what, value]],
  );
  context.print(`${name}: ${contentOf(networks)}\n${table(facts, '  ')}\n${locked.networks.join('\n')}\n`);
  return EXIT.done;
}

/** `feeds verify`. */
export function verify({ options, folder, context }: Call): ExitCode {
  const { declarations, lock } = readFeedFiles(folder);
  const problems = [
    ...statusOfFeeds(declarations, lock, context.clock.epochMs()).flatMap(({ problem = [] }) => problem),
    ...undeclaredProblems(declarations, lock),
    ...ambiguityProblems(requireFeedsFolder(folder)),
  ];
  if (options.json) context.print(printableJson({ problems }));
  else
    context.print(problems.length === 0 ? 'The lock matches the declaration.\n' : `${problems.join('\n')}\n`);
  return problems.length === 0 ? EXIT.done : EXIT.attention;
}
