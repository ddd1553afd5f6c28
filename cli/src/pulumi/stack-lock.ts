import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { PROJECT_FILES, type Stack, textOfFile } from './stack';

/** One lock file of the engine, reduced to what users want to know. */
interface Lock {
  readonly pid?: number;
  readonly username?: string;
  readonly hostname?: string;
  readonly timestamp?: string;
}

/** Since when the stack is locked and by whom; empty if it is not; undefined if its backend shows that only to a run. */
export async function lockOf(stack: Stack, stackName: string): Promise<string | undefined> {
  const folder = await lockFolder(stack, stackName);
  if (folder === undefined) return undefined;
  const [file] = filesIn(folder);
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

async function lockFolder(stack: Stack, stackName: string): Promise<string | undefined> {
  const { isSuccess, stdout } = await stack.cli.run(['whoami', '--verbose', '--json']);
  const url = isSuccess ? (JSON.parse(stdout) as { readonly url?: string }).url : undefined;
  if (url?.startsWith('file:///') !== true) return undefined;
  const project = projectName(stack.projectFolder);
  const name = stackName.split('/').at(-1);
  return project === undefined || name === undefined
    ? undefined
    : path.join(fileURLToPath(url), '.pulumi', 'locks', 'organization', project, name);
}

/** The name in the project file, found without a YAML parser. */
function projectName(folder: string): string | undefined {
  const line = /^(?:name|\s*[{,]?\s*"name")\s*:\s*["']?([^"',}#\n]+)/m;
  const found = PROJECT_FILES.map((name) => line.exec(textOfFile(path.join(folder, name)))?.[1]);
  return found.find((name) => name !== undefined)?.trim();
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
