import { readdirSync } from 'node:fs';
import path from 'node:path';
import { localStack } from './local-backend';
import { type Stack, textOfFile } from './stack';

/** One lock file of the engine, reduced to what users want to know. */
interface Lock {
  readonly pid?: number;
  readonly username?: string;
  readonly hostname?: string;
  readonly timestamp?: string;
}

/** Since when the stack is locked and by whom; empty if it is not; undefined if its backend shows that only to a run. */
export async function lockOf(stack: Stack, stackName: string): Promise<string | undefined> {
  const local = await localStack(stack, stackName);
  if (!local) return undefined;
  const [file] = filesIn(path.join(local.root, 'locks', 'organization', local.project, local.name));
  if (file === undefined) return '';
  const { username = '?', hostname = '?', pid = '?', timestamp = '?' } = readLock(file);
  return `locked since ${timestamp} by ${username}@${hostname}, process ${pid}`;
}

/** A killed run may leave half a file, which is a lock all the same. */
function readLock(file: string): Lock {
  try {
    return JSON.parse(textOfFile(file)) as Lock;
  } catch {
    return {};
  }
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
