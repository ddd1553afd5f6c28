import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_FILES, type Stack, textOfFile } from './stack';
import { readdirSync } from 'node:fs';

interface LocalStack {
  /** The folder `.pulumi` of the backend. */
  readonly root: string;
  readonly project: string;
  readonly name: string;
}

/** The place of a stack in its local backend; undefined if it has another backend. */
export async function localStack(stack: Stack, stackName: string): Promise<LocalStack | undefined> {
  const { isSuccess, stdout } = await stack.cli.run(['whoami', '--verbose', '--json']);
  const url = isSuccess ? (JSON.parse(stdout) as { readonly url?: string }).url : undefined;
  if (url?.startsWith('file:///') !== true) return undefined;
  const project = projectName(stack.projectFolder);
  const name = stackName.split('/').at(-1);
  return project === undefined || name === undefined
    ? undefined
    : { root: path.join(fileURLToPath(url), '.pulumi'), project, name };
}

/** The name in the project file, found without a YAML parser. */
export function projectName(folder: string): string | undefined {
  const line = /^(?:name|\s*[{,]?\s*"name")\s*:\s*["']?([^"',}#\n]+)/m;
  const names = PROJECT_FILES.map((name) => line.exec(textOfFile(path.join(folder, name)))?.[1]);
  return names.find((name) => name !== undefined)?.trim();
}

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

/** None if there is no such folder. @throws UserError if it cannot be read. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UserError(`The locks of the stack cannot be read: ${(error as Error).message}.`);
  }
}
