// What runs have left: files in a local backend, versions of the state in another one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { localStack } from './local-backend';
import type { Stack } from './stack';

export const SECOND_MS = 1000;
export const timeOf = (ms: number): string => new Date(ms).toISOString();

export interface StateText {
  readonly text: string;
  readonly place: string;
}

export interface RecordedRun {
  readonly startMs: number;
  /** `Infinity` if it has not ended. Times are whole seconds: it may have ended up to a second before. */
  readonly endMs: number;
  state(): Promise<StateText>;
}

interface RunHistory {
  readonly runs: readonly RecordedRun[];
  readonly place: string;
}

/** @throws UserError if no run is recorded, or the history cannot be read. */
export async function historyOf(stack: Stack): Promise<RunHistory> {
  const local = await localStack(stack, await stack.name());
  const place = local
    ? path.join(local.root, 'history', local.project, local.name)
    : 'the history that "pulumi stack history" shows';
  const runs = local ? filesIn(place) : await versionsOf(stack);
  if (runs.length === 0)
    throw new UserError(`No run of the stack ${await stack.name()} is recorded in ${place}.`);
  return { runs: runs.sort((left, right) => left.endMs - right.endMs), place };
}

export function textOf(file: string): StateText {
  try {
    const content = readFileSync(file);
    return { text: (file.endsWith('.gz') ? gunzipSync(content) : content).toString('utf8'), place: file };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'no reason given';
    throw new UserError(`${file} cannot be read (${code}).`, { cause: error });
  }
}

/** The runs of a local backend, which the CLI compresses under PULUMI_SELF_MANAGED_STATE_GZIP. */
const filesIn = (folder: string): RecordedRun[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => /\.history\.json(?:\.gz)?$/.test(name))
    .map((name): RecordedRun => {
      const file = path.join(folder, name);
      const { startTime, endTime } = JSON.parse(textOf(file).text) as { startTime: number; endTime: number };
      return {
        startMs: startTime * SECOND_MS,
        endMs: (endTime + 1) * SECOND_MS,
        state: () =>
          Promise.resolve(textOf(file.replace(/\.history\.json(?=(?:\.gz)?$)/, '.checkpoint.json'))),
      };
    });

/** A run as `pulumi stack history --json` prints it. A local backend lists no run that was killed. */
export interface PrintedRun {
  readonly kind: string;
  readonly version: number;
  readonly startTime: string;
  /** Absent until the run ends. */
  readonly endTime?: string;
  readonly result?: string;
}

/** The latest runs of a stack, the last one first; all of them unless a number is given. The CLI itself shows ten. */
export async function printedRuns({ cli }: Stack, most = 0): Promise<readonly PrintedRun[]> {
  const printed = await cli.stackCommand(['stack', 'history', '--json', '--page-size', String(most)]);
  return JSON.parse(printed || '[]') as readonly PrintedRun[];
}

async function versionsOf(stack: Stack): Promise<RecordedRun[]> {
  const { cli } = stack;
  return (await printedRuns(stack))
    .filter(({ kind }) => kind !== 'preview')
    .map(({ version, startTime, endTime }) => ({
      startMs: Date.parse(startTime),
      endMs: endTime === undefined ? Infinity : Date.parse(endTime) + SECOND_MS,
      state: async () => ({
        text: await cli.stackCommand(['stack', 'export', '--version', String(version)]),
        place: `version ${String(version)} of the state`,
      }),
    }));
}
