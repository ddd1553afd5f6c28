import { readFileSync } from 'node:fs';
import { quotedWords } from '../adopt/names';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { nameOfUrn, parseDeployment } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { PulumiCli } from '../pulumi/pulumi-cli';
import { Stack } from '../pulumi/stack';
import type { CliContext } from '../command/context';
import { isThere } from '../command/output-files';

/**
 * Why a module must not be overwritten: it declares resources that a stack manages, and without the declaration the next `up`
 * deletes live rules. The stacks of a project share the program, so all of them count.
 */
export async function whyModuleStays(
  program: string,
  projectFolder: string | undefined,
  context: CliContext,
): Promise<string | undefined> {
  // A file outside every project belongs to no stack's program.
  if (!isThere(program) || projectFolder === undefined) return undefined;
  try {
    const words = new Set(quotedWords(textOf(program)));
    if (words.size === 0) return undefined;
    for (const stackName of await stackNames(projectFolder, context)) {
      const stack = new Stack(context, projectFolder, stackName);
      const { resources } = parseDeployment(await stack.exportText());
      const own = resources.find((entry) => isOwn(entry) && words.has(nameOfUrn(entry.urn)));
      if (own !== undefined) return `it declares ${nameOfUrn(own.urn)}, which stack ${stackName} manages`;
    }
    return undefined;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return `it is unknown whether a stack manages its resources (${error.message})`;
  }
}

/** A link to nothing declares nothing. */
function textOf(program: string): string {
  try {
    return readFileSync(program, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

async function stackNames(projectFolder: string, context: CliContext): Promise<string[]> {
  const printed = await new PulumiCli(context, projectFolder).stackCommand(['stack', 'ls', '--json']);
  return (JSON.parse(printed) as readonly { readonly name: string }[]).map(({ name }) => name);
}
