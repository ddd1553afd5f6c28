// The assertion files next to a program: one for all of its stacks, and one for each.
import { readdirSync } from 'node:fs';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { AssertionSet } from 'pulumi-edge-policy-review';
import { readAssertionFiles } from './review-files';

/** The file that counts for every stack. */
export const COMMON_ASSERTION_FILE = 'edge-policy.assertions.json';

/** The file of one stack, by the last part of its name, as in `Pulumi.STACK.yaml`. */
export const assertionFileOf = (stack: string): string =>
  `edge-policy.assertions.${stack.slice(stack.lastIndexOf('/') + 1)}.json`;

/** The files of a stack in a folder. @throws UserError for a name that differs only in case, which some file systems do not find. */
export async function defaultAssertionFiles(
  cwd: string,
  stackName: () => Promise<string>,
): Promise<string[]> {
  const present = namesIn(cwd).filter((name) => /^edge-policy\.assertions\.(?:.+\.)?json$/i.test(name));
  const isOfStack = (name: string) => name.toLowerCase() !== COMMON_ASSERTION_FILE;
  const wanted = [
    COMMON_ASSERTION_FILE,
    ...(present.some(isOfStack) ? [assertionFileOf(await stackName())] : []),
  ];
  for (const name of wanted) {
    const other = present.find((each) => each !== name && each.toLowerCase() === name.toLowerCase());
    if (other !== undefined)
      throw new UserError(
        `${other} differs only in case from ${name}, the name that counts: rename or remove it.`,
      );
  }
  return wanted.filter((name) => present.includes(name));
}

/** The named assertion files of a folder; if none is named, those of the stack that exist. */
export const readAssertions = async (
  files: readonly string[],
  cwd: string,
  stackName: () => Promise<string>,
): Promise<AssertionSet> =>
  readAssertionFiles(files.length > 0 ? files : await defaultAssertionFiles(cwd, stackName), cwd);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Whatever is named in it cannot be read either, and is reported.
    return [];
  }
}
