import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROJECT_FILES, type Stack, textOfFile } from './stack';

/** Where a local backend keeps a stack. */
export interface LocalStack {
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
  const found = PROJECT_FILES.map((name) => line.exec(textOfFile(path.join(folder, name)))?.[1]);
  return found.find((name) => name !== undefined)?.trim();
}
