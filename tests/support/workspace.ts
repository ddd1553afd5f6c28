import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The root of the checkout. */
export const checkout = path.dirname(path.dirname(__dirname));

/** The folder with the Pulumi CLI that the setup step has found or brought. */
export const cliBin = (): string => {
  const file = path.join(checkout, 'node_modules', '.cache', 'edge-policy', 'cli.json');
  try {
    const { root } = JSON.parse(readFileSync(file, 'utf8')) as { root: string };
    return path.join(root, 'bin');
  } catch {
    throw new Error(`no Pulumi CLI is recorded in ${file}: run \`node tools/setup.mjs\``);
  }
};
