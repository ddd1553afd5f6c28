import { isAtLeast } from '../pulumi/cli-version';
import { type Finding, ok, red, warning } from './finding';

/** The SDK compiles every program with the compiler that it finds, and cannot do so with this one (its peer range says so). */
const FIRST_BREAKING_TYPESCRIPT = '7.0.0';

/** TypeScript as the SDK finds it; without one the SDK brings its own. */
export function examineTypeScript(version: string | undefined): Finding[] {
  if (version === undefined) return [];
  if (!isAtLeast(version, FIRST_BREAKING_TYPESCRIPT)) return [ok('TypeScript', version)];
  const fix = 'run "npm install --save-dev typescript@5"';
  return [red('TypeScript', `${version} breaks the Pulumi SDK, which needs one below 7`, fix)];
}

/** What the SDK says of the Node.js it needs, where that is a plain least version. */
export function examineSdkEngines(needed: string | undefined, nodeVersion: string): Finding[] {
  const least = /^>=\s*v?(\d+(?:\.\d+){0,2})$/.exec(needed ?? '')?.[1];
  if (least === undefined || isAtLeast(nodeVersion, least)) return [];
  return [
    warning(
      'Node.js for the SDK',
      `the installed Pulumi SDK asks for Node.js ${needed ?? ''}, and this is ${nodeVersion.replace(/^v/, '')}`,
      `install Node.js ${least} or newer`,
    ),
  ];
}
