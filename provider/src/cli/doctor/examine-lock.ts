import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { projectValue, type Stack, textOfFile } from '../pulumi/stack';
import { type Finding, ok, red } from './finding';

const WHAT = 'stack unlocked';

/** One lock file of the engine, as far as people want to know it. */
interface Lock {
  readonly pid?: number;
  readonly username?: string;
  readonly hostname?: string;
  readonly timestamp?: string;
}

/**
 * Who holds the lock of the stack. Where the state is kept in files, the locks lie beside it; other backends show theirs to
 * nobody but a run that wants one, and then this says nothing.
 */
export async function examineLock(stack: Stack, stackName: string): Promise<Finding[]> {
  const folder = await lockFolder(stack, stackName);
  if (folder === undefined) return [];
  const locks = filesIn(folder).map(readLock);
  const [lock] = locks;
  if (lock === undefined) return [ok(WHAT, 'no run is under way')];
  const { username = '?', hostname = '?', pid = '?', timestamp = '?' } = lock;
  return [
    red(
      WHAT,
      `locked since ${timestamp} by ${username}@${hostname}, process ${pid}`,
      'wait for that run to end; if it was killed, run "pulumi cancel", then "edge-policy recover"',
    ),
  ];
}

/** A lock that says nothing of its holder is one all the same. */
function readLock(file: string): Lock {
  try {
    return JSON.parse(textOfFile(file)) as Lock;
  } catch {
    return {};
  }
}

async function lockFolder(stack: Stack, stackName: string): Promise<string | undefined> {
  const { isSuccess, stdout } = await stack.cli.run(['whoami', '--verbose', '--json']);
  const url = isSuccess ? (JSON.parse(stdout) as { readonly url?: string }).url : undefined;
  if (url?.startsWith('file:///') !== true) return undefined;
  const project = projectValue(stack.projectFolder, 'name');
  const name = stackName.split('/').at(-1);
  return project === undefined || name === undefined
    ? undefined
    : path.join(fileURLToPath(url), '.pulumi', 'locks', 'organization', project, name);
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}
