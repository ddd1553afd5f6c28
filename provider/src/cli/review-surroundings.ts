import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { ReviewSurroundings } from './review';

const STANDARD_INPUT = 0;
/** A stack of 100,000 rules previews as some 40 MB. */
const PREVIEW_LIMIT_BYTES = 1024 ** 3;

/** The real surroundings of the command: files, standard input, the Pulumi CLI on PATH, the clock. */
export function processSurroundings(): ReviewSurroundings {
  return {
    readFile: (path) => readFileSync(path, 'utf8'),
    fileExists: existsSync,
    readStandardInput: () => readFileSync(STANDARD_INPUT, 'utf8'),
    runPreview,
    isTerminal: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    today: () => new Date().toISOString().slice(0, 10),
  };
}

/** A failed preview prints what it knows and why it failed, which is for the review to tell. */
function runPreview(stack: string): string {
  const args = ['preview', '--json', '--show-sames', '--non-interactive', '--stack', stack];
  // The variable turns the one document into a stream of events.
  const env = { ...process.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: 'false' };
  const result = spawnSync('pulumi', args, {
    env,
    encoding: 'utf8',
    maxBuffer: PREVIEW_LIMIT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (result.error) throw result.error;
  return result.stdout;
}
