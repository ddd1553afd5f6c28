import { foldersFrom, repositoriesAround } from '../command/folders';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/**
 * Refuses a log in the working tree of the change under review: its author could have written it, or a link to it, so that nobody
 * seems to be locked out.
 *
 * @param projectFolder The folder of the Pulumi project, if there is one: the tree without a repository.
 * @throws UserError that names the file and a way out.
 */
export function requireOutsideChange(
  file: string,
  { cwd, projectFolder }: { readonly cwd: string; readonly projectFolder: string | undefined },
): void {
  // The outermost repository: a change to it can also replace the repositories inside it.
  const tree = repositoriesAround(realpathSync(cwd)).at(-1) ?? (projectFolder && realpathSync(projectFolder));
  const named = path.resolve(cwd, file);
  // Whatever a link in the tree leads to is the choice of the change, too: so all folders on the way count.
  const isOutside = tree === undefined || !foldersFrom(named).some((place) => isWithin(tree, place));
  if (isOutside) return;
  throw new UserError(
    `${file} is in ${tree}, the working tree of the change under review, whose author could have written it. Keep logs elsewhere, ` +
      'or pass one on standard input.',
  );
}

function isWithin(folder: string, place: string): boolean {
  const relative = existsSync(place) ? path.relative(folder, realpathSync(place)) : '..';
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
