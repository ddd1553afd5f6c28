import { Command } from 'commander';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../errors/user-error';
import { PACKAGE_NAME } from '../../resources/provider-reference';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../context';
import { findProjectFolder } from '../pulumi/stack';

const EXAMPLES = `
Writes where the plugin is into Pulumi.yaml, and nothing else. "pulumi config set edge-policy:host native" then makes the
resource classes of TypeScript and JavaScript use it; programs of other languages need no setting. See docs/hosts.md. Exit
codes: 0 it is there, 1 the lines are to be written by hand, 3 nothing was done.`;

/** The plugin within the package, as a project finds it that has installed the package. */
const INSTALLED = 'node_modules/pulumi-edge-policy/plugin';

/** `edge-policy setup-plugin`. */
export const setupPluginCommand = (context: CommandContext): Command =>
  new Command('setup-plugin')
    .description('let this Pulumi project use the native plugin of the package')
    .option('--cwd <folder>', 'the Pulumi project, or a folder in it')
    .addHelpText('after', EXAMPLES)
    .action(({ cwd }: { readonly cwd?: string }) => {
      context.end(setUpPlugin(path.resolve(context.workingDirectory, cwd ?? '.'), context));
    });

function setUpPlugin(from: string, { print }: CliContext): ExitCode {
  const folder = findProjectFolder(from);
  if (folder === undefined) throw new UserError(`${from} is not in a Pulumi project. Nothing was done.`);
  const lines = linesFor(pluginFolder(folder));
  const file = ['Pulumi.yaml', 'Pulumi.yml'].map((name) => path.join(folder, name)).find(existsSync);
  const text = file === undefined ? undefined : readFileSync(file, 'utf8');
  if (text?.includes(lines) === true) {
    print(`The project already names the plugin.\n`);
    return EXIT.done;
  }
  // A section that is there may be laid out in many ways: whoever wrote it knows where the lines belong.
  if (file === undefined || text === undefined || /^plugins\s*:|^\s*\{/m.test(text)) {
    print(`The project file has plugins already, or is not YAML. Add by hand:\n\n${lines}`);
    return EXIT.attention;
  }
  writeFileSync(file, `${text.replace(/\n*$/, '\n')}${lines}`);
  print(
    `${file} names the plugin. In a TypeScript or JavaScript project, go on with:\n\n  pulumi config set edge-policy:host native\n  pulumi up\n`,
  );
  return EXIT.done;
}

/** Relative to the project, as the file is shared; the package itself may be linked from elsewhere. */
function pluginFolder(projectFolder: string): string {
  if (existsSync(path.join(projectFolder, INSTALLED))) return INSTALLED;
  const own = path.join(__dirname, '..', '..', '..', 'plugin');
  return path.relative(projectFolder, own).split(path.sep).join('/');
}

const linesFor = (folder: string): string =>
  `plugins:\n  providers:\n    - name: ${PACKAGE_NAME}\n      path: ${JSON.stringify(folder)}\n`;
