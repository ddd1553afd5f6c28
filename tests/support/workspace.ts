import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The root of the checkout. */
export const checkout = path.dirname(path.dirname(__dirname));

/** Lets a Node process run the TypeScript sources as they are, whether the packages are built or not. */
export const sourcesHook = ['--require', path.join(__dirname, 'typescript-require.cjs')];

/** The files below a folder whose names match, without what was built, as paths from the root of the checkout. */
export const filesBelow = (folder: string, names: RegExp): string[] =>
  readdirSync(path.join(checkout, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name) && !/(^|\/)(dist|site|node_modules)\//.test(name))
    .sort()
    .map((name) => path.join(folder, name));

/** The text of a file, by its path from the root of the checkout. */
export const textOf = (file: string): string => readFileSync(path.join(checkout, file), 'utf8');

/** The folder with the Pulumi CLI that EDGE_POLICY_CLI names, or that the setup step has found or installed. */
export const cliBin = (): string => {
  const chosen = process.env['EDGE_POLICY_CLI'];
  if (chosen) return path.join(chosen, 'bin');
  const file = path.join(checkout, 'node_modules', '.cache', 'edge-policy', 'cli.json');
  try {
    const { root } = JSON.parse(readFileSync(file, 'utf8')) as { root: string };
    return path.join(root, 'bin');
  } catch {
    throw new Error(`no Pulumi CLI is recorded in ${file}: run \`node tools/setup.mjs\``);
  }
};

/** Lets the Node processes of a run start from cached compiled code, named `name`; see the required file. */
export const compileCache = (name: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--require=${path.join(__dirname, 'compile-cache.cjs')}`,
  EDGE_POLICY_TEST_COMPILE_CACHE: path.join(
    checkout,
    'node_modules/.cache/edge-policy',
    `${name}-${process.version}`,
  ),
});

/** A folder for the front of PATH that skips the Node processes which only ask where the SDK is. */
export const quickNode = path.join(__dirname, 'quick-node');
