// States of the past: a file, or what a run has left in the history of its backend.
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { isOwn, type Deployment, nameOfUrn, parseDeployment, parseRecorded } from './deployment';
import { projectName } from './local-backend';
import { withLocalPlaces } from './local-places';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { historyOf, type RecordedRun, SECOND_MS, type StateText, textOf, timeOf } from './run-history';
import { findProjectFolder, requireStack, type Stack } from './stack';

export interface RecordedState {
  readonly deployment: Deployment;
  /** The objects of which either of two contents may have been live then, a sentence each: the answer counts both. */
  readonly doubts: readonly string[];
  /** Why another state may have been live then, a sentence each: nothing is decided. */
  readonly gaps: readonly string[];
  /** Until when its history would not show another state. */
  readonly caveat?: string;
}

export const STATE_HELP =
  'a state of the past: what "pulumi stack export" wrote, or a checkpoint from the history of a local backend';
export const AT_HELP = 'the state that a run had left by this time, such as 2026-03-14T02:00Z';

export interface PastOptions {
  readonly state?: string | undefined;
  readonly at?: string | undefined;
}

/** A state of the past with its caveats in the notes of the command, and whether it decides. @throws UserError if it cannot be read. */
export async function readPast(
  { state, at }: PastOptions,
  where: Location,
  context: CliContext,
): Promise<RecordedState> {
  const isInProject = where.stack !== undefined || findProjectFolder(where.cwd) !== undefined;
  const recorded =
    state === undefined
      ? await recordedAt(momentOf(at ?? ''), requireStack(context, where))
      : await recordedFrom(
          textOf(path.resolve(where.cwd, state)),
          isInProject ? requireStack(context, where) : undefined,
        );
  const { time } = recorded.deployment.manifest;
  context.note(`As recorded at ${time === '' ? 'an unknown time' : time}, not proved live.\n`);
  const { caveat, doubts, gaps } = recorded;
  for (const line of [...(caveat === undefined ? [] : [caveat]), ...doubts, ...gaps])
    context.note(`${line}\n`);
  return recorded;
}

function momentOf(text: string): number {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new UserError(
    '--at needs a time with its zone, such as 2026-03-14T02:00Z or 2026-03-14T03:00+01:00.',
  );
}

/** Reads what `pulumi stack export` wrote, or a checkpoint of a local backend. @throws UserError if it is of another stack. */
async function recordedFrom({ text, place }: StateText, stack: Stack | undefined): Promise<RecordedState> {
  const deployment = parseRecorded(withLocalPlaces(text, stack?.projectFolder), place);
  await requireSameStack(deployment, stack, place);
  return { deployment, doubts: doubtsIn(deployment), gaps: [] };
}

async function requireSameStack(
  { resources }: Deployment,
  stack: Stack | undefined,
  file: string,
): Promise<void> {
  if (resources.length === 0)
    throw new UserError(`${file} holds no resource, so nothing in it shows of which stack it is.`);
  const stacks = new Set(
    resources.map(({ urn }) => urn.split('::', 2).join('::').replace('urn:pulumi:', '')),
  );
  const expected = stack && [(await stack.name()).split('/').at(-1), projectName(stack.projectFolder)];
  for (const origin of stacks) {
    const [name, project] = origin.split('::');
    const isOther = expected && (expected[0] !== name || (expected[1] ?? project) !== project);
    if (stacks.size > 1 || isOther)
      throw new UserError(
        `${file} is a state of the stack ${name ?? ''} of the project ${project ?? ''}: name that stack with --stack, in its project.`,
      );
  }
}

/** The stack that a state is of, as `PROJECT/STACK`. */
export function nameOfStack({ resources }: Deployment): string {
  const [name = '', project = ''] = resources[0]?.urn.replace('urn:pulumi:', '').split('::') ?? [];
  return `${project}/${name}`;
}

/** Objects that may differ from the state, and operations that an interrupted run had begun. */
function doubtsIn({ resources, pendingOperations }: Deployment): string[] {
  const open = resources.filter(
    ({ type, outputs = {} }) => isOwn({ type }) && outputs['unsettledSince'] !== undefined,
  );
  return [
    ...open.map(
      ({ urn }) => `"${nameOfUrn(urn)}" may have differed from the state: an answer of the service was lost.`,
    ),
    ...pendingOperations
      .filter(({ resource }) => isOwn(resource))
      .map(
        ({ type, resource }) =>
          `A run was interrupted while ${type} "${nameOfUrn(resource.urn)}": it may have been carried out.`,
      ),
  ];
}

/**
 * The state of a stack at a time, from the history of its backend. A local one does not show a run that was killed, `cancel` and
 * `stack import`; a later state shows some of them.
 *
 * @throws UserError if there is none.
 */
async function recordedAt(atMs: number, stack: Stack): Promise<RecordedState> {
  const { runs, place } = await historyOf(stack);
  const next = runs.findIndex(({ endMs }) => endMs > atMs);
  const [before, after] = next < 0 ? [runs.at(-1), undefined] : [runs[next - 1], runs[next]];
  if (!before) throw new UserError(`No run is recorded in ${place} that had ended by ${timeOf(atMs)}.`);
  const now = parseDeployment(await stack.exportText());
  const nowMs = Date.parse(now.manifest.time);
  if (!after && nowMs > before.endMs + SECOND_MS && nowMs <= atMs)
    return { deployment: now, doubts: doubtsIn(now), gaps: [] };
  const recorded = await recordedFrom(await before.state(), stack);
  const hasEnded = after !== undefined && after.endMs !== Infinity;
  const later = hasEnded ? parseRecorded((await after.state()).text, place) : now;
  const gaps = gapAfter(before, { after, later, nowMs, atMs });
  const until = after ? timeOf(after.startMs) : now.manifest.time;
  const caveat = `The history would not show a run that was killed, or an import, before ${until}.`;
  return { ...recorded, caveat, gaps };
}

interface Later {
  readonly after: RecordedRun | undefined;
  readonly later: Deployment;
  readonly nowMs: number;
  readonly atMs: number;
}

/** Why the state after a run may not have lasted until the time that is asked for. */
function gapAfter({ endMs }: RecordedRun, { after, later, nowMs, atMs }: Later): string[] {
  if (after && after.startMs <= atMs)
    return [
      after.endMs === Infinity
        ? `Not known since ${timeOf(after.startMs)}: a run began that has not ended.`
        : `Not known between ${timeOf(after.startMs)} and ${timeOf(after.endMs)}: a run was under way.`,
    ];
  const untilMs = after?.startMs ?? nowMs;
  const isTouched = (time: unknown): boolean =>
    typeof time === 'string' && Date.parse(time) > endMs + SECOND_MS && Date.parse(time) < untilMs;
  const isUnrecorded = after
    ? later.resources.some(({ created, ['modified']: modified }) => isTouched(created) || isTouched(modified))
    : nowMs > endMs + SECOND_MS;
  return isUnrecorded
    ? [
        `Not known between ${timeOf(endMs)} and ${timeOf(untilMs)}: a run that is not recorded has written the state.`,
      ]
    : [];
}
