// What for: the command `feeds`: fetches published networks and writes the lock. Nothing else in the provider fetches them.
// Must not know: `judge`; neither the service, its API key, nor the state of a stack.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  DECLARATION_FILE,
  type Declarations,
  documentOf,
  type FeedDeclaration,
  readDeclaration,
} from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import {
  findFeedsFolder,
  readDeclarations,
  requireFeedsFolder,
  textOf,
} from 'pulumi-edge-policy/internal/feeds/feed-files';
import { LOCK_FILE } from 'pulumi-edge-policy/internal/feeds/lock';
import { isObject } from 'pulumi-edge-policy/internal/feeds/members-reader';
import { PUBLISHERS } from 'pulumi-edge-policy/internal/feeds/publishers';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, type ExitCode } from '../command/context';
import { replaceFile } from '../command/write-file';
import { requireProjectFolder } from '../pulumi/stack';
import type { AddOptions, Call, UpdateOptions } from './options';
import { changesOf, describeOutcome, type Outcome } from './describe-feed';
import { isLocked, lockAfter, readVersions, unresolved, writeLock } from './lock-versions';
import { fetchFeeds } from './update';

/** `feeds add`: writes nothing unless the document passes all checks. */
export async function add({
  names: [name = ''],
  options,
  folder: from,
  context,
}: Call<AddOptions>): Promise<ExitCode> {
  const folder = findFeedsFolder(from) ?? requireProjectFolder(from);
  const file = path.join(folder, DECLARATION_FILE);
  const text = textOf(file);
  const declarations = text === undefined ? new Map<string, FeedDeclaration>() : readDeclarations(folder);
  if (declarations.has(name)) {
    throw new UserError(
      `The feed "${name}" is already declared: edit ${DECLARATION_FILE} and run "${COMMAND_LINE} feeds update ${name}".`,
    );
  }
  const declared = declarationOf(name, options);
  const problems: string[] = [];
  const feed = readDeclaration(name, declared, problems);
  if (problems.length > 0) throw new UserError(problems.map((problem) => `${problem}.`).join('\n'));
  const versions = readVersions(folder);
  const outcomes = await fetchFeeds({ folder, feeds: [feed] }, versions, context);
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  if (!isRefused) {
    writeLock(folder, lockAfter(versions, outcomes, [...declarations.keys(), name]));
    replaceFile(file, printableJson(withDeclaration(text, name, declared)));
  }
  const advice = isRefused ? undefined : `Commit ${DECLARATION_FILE} and ${LOCK_FILE}.`;
  return report(outcomes, { context, options, advice });
}

/** `feeds remove`. */
export function remove({ names: [name = ''], options, folder: from, context }: Call): ExitCode {
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  requireDeclared([name], declarations);
  const versions = readVersions(folder);
  const others = [...declarations.keys()].filter((other) => other !== name);
  writeLock(folder, lockAfter(versions, [], others));
  const file = path.join(folder, DECLARATION_FILE);
  replaceFile(file, printableJson(withDeclaration(textOf(file), name, undefined)));
  const advice = `A program that still uses it fails. Commit ${DECLARATION_FILE} and ${LOCK_FILE}.`;
  return report([{ name, kind: 'dropped' }], { context, options, advice });
}

function requireDeclared(names: readonly string[], declarations: Declarations): void {
  const unknown = names.find((name) => !declarations.has(name));
  if (unknown !== undefined) throw new UserError(`There is no feed "${unknown}" in ${DECLARATION_FILE}.`);
}

/** The declaration as written to the file, without absent fields. */
function declarationOf(name: string, options: AddOptions): object {
  const { publisher, url, file, format, select } = options;
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
    ...{ file, format, select: select && selection },
  };
}

/** `feeds update`: rewrites what has changed. A lock with conflict markers is rewritten once every feed in conflict has passed. */
export async function update(call: Call<UpdateOptions>): Promise<ExitCode> {
  const { folder, outcomes, next } = await compare(call, acceptedReason(call));
  const conflicts = unresolved(next);
  const kept = `${LOCK_FILE} keeps its conflict markers until these feeds pass: ${conflicts.join(', ')}.`;
  const isWritten = conflicts.length === 0 && !isLocked(folder, next);
  if (isWritten) writeLock(folder, next);
  const advice = isWritten ? `${LOCK_FILE} was written: commit it.` : conflicts.length > 0 ? kept : undefined;
  const exitCode = report(outcomes, { ...call, advice });
  return conflicts.length > 0 ? EXIT.undecided : exitCode;
}

/** `feeds diff`: what an update would change, its bounds aside; writes nothing. */
export async function diff(call: Call): Promise<ExitCode> {
  const { folder, outcomes, next } = await compare(call, undefined);
  const shown = outcomes.map((outcome): Outcome =>
    outcome.kind === 'refused' && outcome.step !== undefined
      ? { name: outcome.name, kind: 'changed', step: outcome.step }
      : outcome,
  );
  const exitCode = report(shown, call);
  const isChanged = !isLocked(folder, next) || shown.some(({ kind }) => kind === 'changed');
  return exitCode === EXIT.done && isChanged ? EXIT.attention : exitCode;
}

async function compare({ names, folder: from, context }: Call, accepted: string | undefined) {
  const folder = requireFeedsFolder(from);
  const declarations = readDeclarations(folder);
  requireDeclared(names, declarations);
  const versions = readVersions(folder);
  const feeds = [...declarations.values()].filter(({ name }) => names.length === 0 || names.includes(name));
  const fetched = await fetchFeeds({ folder, feeds, accepted }, versions, context);
  const gone = [...versions.keys()].filter((name) => !declarations.has(name));
  const outcomes = [...fetched, ...gone.map((name): Outcome => ({ name, kind: 'dropped' }))];
  return { folder, outcomes, next: lockAfter(versions, outcomes, declarations.keys()) };
}

const LONGEST_REASON = 300;

function acceptedReason({ names, options: { accept } }: Call<UpdateOptions>): string | undefined {
  if (accept === undefined) return undefined;
  if (names.length !== 1) throw new UserError('--accept needs the name of exactly one feed.');
  const reason = accept.trim();
  if (!/^\P{C}+$/u.test(reason) || reason.length > LONGEST_REASON)
    throw new UserError(
      `--accept needs a reason of one line, at most ${LONGEST_REASON} characters: it goes into the lock.`,
    );
  return reason;
}

function report(
  outcomes: readonly Outcome[],
  { context, options, advice }: Pick<Call, 'context' | 'options'> & { readonly advice?: string | undefined },
): ExitCode {
  const isRefused = outcomes.some(({ kind }) => kind === 'refused');
  if (options.json) context.print(printableJson({ feeds: outcomes.map(plainOutcome) }));
  else {
    const remarks = [isRefused ? 'Refused feeds stay unchanged.\n' : [], advice ? `${advice}\n` : []].flat();
    context.print([outcomes.map(describeOutcome).join(''), remarks.join('')].filter(Boolean).join('\n'));
  }
  return isRefused ? EXIT.undecided : EXIT.done;
}

function plainOutcome(outcome: Outcome): object {
  if (outcome.kind === 'dropped') return outcome;
  const { name, kind, step } = outcome;
  const reason = outcome.kind === 'refused' ? outcome.reason : undefined;
  if (step === undefined) return { name, kind, reason };
  const { token, digest, checked, accepted } = step.locked;
  return {
    ...{ name, kind, reason, problems: step.problems, token, digest, checked, accepted },
    ...changesOf(step.before, step.after),
  };
}

/** The schema that the file names. */
const SCHEMA = 'node_modules/pulumi-edge-policy/schemas/feeds-1.json';

/** The declarations with another one, or without this one. The rest keeps its content, but not its layout. */
function withDeclaration(text: string | undefined, name: string, declaration: object | undefined): object {
  const document = text === undefined ? { $schema: SCHEMA } : documentOf(text);
  const feeds = isObject(document['feeds']) ? document['feeds'] : {};
  return { ...document, feeds: { ...feeds, [name]: declaration } };
}
