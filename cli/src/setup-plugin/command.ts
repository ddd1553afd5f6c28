// What for: the command `setup-plugin`: puts the plugin of this package where the engine looks for it.
// Must not know: `feeds`; neither settings nor the service.
import { foldersFrom } from '../command/folders';
import { Command } from 'commander';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { PACKAGE_NAME } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { type CommonOptions, locationOf } from '../command/arguments';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { requireProjectFolder } from '../pulumi/stack';

const EXAMPLES = `
Adds the path of the plugin to Pulumi.yaml, and changes nothing else. "pulumi config set edge-policy:host native" then makes the
resource classes of TypeScript and JavaScript use it; programs of other languages need no setting. See docs/hosts.md in the package. Exit
codes: 0 it is there, 1 add the lines by hand, 3 nothing was done.`;

/** The plugin's folder in the package, as installed in the project or in a folder above it. */
const INSTALLED = 'node_modules/pulumi-edge-policy/plugin';

export const setupPluginCommand = (context: CommandContext): Command =>
  new Command('setup-plugin')
    .description('make this Pulumi project use the native plugin of the package')
    .option('--cwd <folder>', 'the Pulumi project, or a folder in it')
    .addHelpText('after', EXAMPLES)
    .action((options: Pick<CommonOptions, 'cwd'>) => {
      context.end(setUpPlugin(locationOf(options, context.workingDirectory).cwd, context));
    });

function setUpPlugin(from: string, { print }: CliContext): ExitCode {
  const folder = requireProjectFolder(from);
  const lines = linesFor(pluginFolder(folder));
  const file = ['Pulumi.yaml', 'Pulumi.yml'].map((name) => path.join(folder, name)).find(existsSync);
  const text = file === undefined ? undefined : readFileSync(file, 'utf8');
  // The documentation has the path without quotes.
  if ([lines, lines.replaceAll('"', '')].some((known) => text?.includes(known))) {
    print(`The project already names the plugin.\n`);
    return EXIT.done;
  }
  // An existing section may be laid out in many ways: its author knows where the lines belong.
  if (file === undefined || text === undefined || !canBeExtended(text)) {
    print(
      `The project file has plugins already, or has a layout that cannot be edited safely. Add by hand:\n\n${lines}`,
    );
    return EXIT.attention;
  }
  writeFileSync(file, `${text.replace(/\n*$/, '\n')}${lines}`);
  print(
    `${file} names the plugin. In a TypeScript or JavaScript project, continue with:\n\n  pulumi config set edge-policy:host ` +
      `native\n  pulumi up\n`,
  );
  return EXIT.done;
}

/** Whether a section may simply be appended: one document, keys at the margin, and no plugins yet. */
function canBeExtended(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#|$)/.test(line));
  const [first = '', ...others] = lines[0] === '---' ? lines.slice(1) : lines;
  const isTaken = (line: string): boolean => /^(---|\.\.\.|["']?plugins["']?\s*:)/.test(line);
  return /^["']?\w+["']?\s*:/.test(first) && ![first, ...others].some(isTaken);
}

/**
 * The plugin's folder in the installed package, as Node.js looks for packages: below the project or a folder above it. The path
 * is relative, as the project file is shared; the cache of npx, or a global folder, is on this machine only.
 */
function pluginFolder(projectFolder: string): string {
  const place = foldersFrom(projectFolder)
    .map((folder) => path.join(folder, INSTALLED))
    .find((folder) => existsSync(folder));
  if (place === undefined) throw new UserError(NOT_INSTALLED);
  return path.relative(projectFolder, place).split(path.sep).join('/');
}

const NOT_INSTALLED =
  'The package is not installed in the project, so there is no plugin to point to. Run "npm install ' +
  'pulumi-edge-policy" first, or install the archive of a release without npm. Nothing was done.';

const linesFor = (folder: string): string =>
  `plugins:\n  providers:\n    - name: ${PACKAGE_NAME}\n      path: ${JSON.stringify(folder)}\n`;
