import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_VERSION } from '../api/client-settings';
import { UserError } from '../errors/user-error';
import type { ReviewCommands } from './context';

/** The package with the commands of {@link reviewCommandNames}: a project that only deploys does not need it. */
const PACKAGE = 'pulumi-edge-policy-review';

/** The commands as the help lists them, without loading the package. */
export const reviewCommandNames: Readonly<Record<keyof ReviewCommands, string>> = {
  review: 'say what a previewed change means: who gains access, who is locked out, which protection is off',
  drift:
    'say how the live access differs from the state, or from an approved plan, and who gets in as a result',
  explain: 'say whether an address, a network or a client gets in, and which rule or pattern decides',
};

/** Whether a command is one of that package. */
export const isReviewCommand = (name: string): name is keyof ReviewCommands => name in reviewCommandNames;

/**
 * Loads the commands from the first of these folders in which the package is found.
 *
 * @throws UserError if there is none, or one of another version.
 */
export function installedReviewCommands(folders: readonly string[]): ReviewCommands {
  const remedy = `run "npm install --save-dev ${PACKAGE}@${PACKAGE_VERSION}".`;
  const installed = folders.flatMap(placesAbove).find((place) => existsSync(manifestIn(place)));
  if (installed === undefined) {
    throw new UserError(`This command needs the package ${PACKAGE}, which is not installed: ${remedy}`);
  }
  const { version } = JSON.parse(readFileSync(manifestIn(installed), 'utf8')) as { readonly version: string };
  if (version !== PACKAGE_VERSION) {
    throw new UserError(
      `${PACKAGE} ${version} does not work with pulumi-edge-policy ${PACKAGE_VERSION}, as both must have the same version: ${remedy}`,
    );
  }
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- no other command needs it
  return (require(installed) as { readonly reviewCommands: ReviewCommands }).reviewCommands;
}

const manifestIn = (place: string): string => path.join(place, 'package.json');

/** The places where Node.js looks for the package from a folder, the nearest first. */
function placesAbove(folder: string): string[] {
  const above = path.dirname(folder);
  return [path.join(folder, 'node_modules', PACKAGE), ...(above === folder ? [] : placesAbove(above))];
}
