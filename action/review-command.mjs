// Finds `edge-policy review`. A project that only deploys has the provider alone; the action brings the rest.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runQuietly } from './run.mjs';

const PROVIDER = 'pulumi-edge-policy';
const REVIEW = 'pulumi-edge-policy-review';

/** Whose version counts is the project's, which may be part of a workspace. */
function manifestOf(name, from = process.cwd()) {
  const file = path.join(from, 'node_modules', name, 'package.json');
  if (existsSync(file)) return file;
  const above = path.dirname(from);
  return above === from ? undefined : manifestOf(name, above);
}

/**
 * The words that run `edge-policy`: the project's own where it has the review, else one of the same version, installed into
 * the given folder. Without the provider there is no version to go by, and npx says that there is no such command.
 *
 * @param {string} folder
 * @returns {[program: string, ...args: string[]]}
 */
export function edgePolicyCommand(folder) {
  const provider = manifestOf(PROVIDER);
  if (provider === undefined || manifestOf(REVIEW) !== undefined)
    return ['npx', '--no-install', 'edge-policy'];
  const { version } = JSON.parse(readFileSync(provider, 'utf8'));
  // The program of the pull request may have written it, and the log reads lines as commands.
  if (!/^\d[\w.+-]*$/.test(version)) throw new Error(`${provider} states no version`);
  console.log(`Installing ${REVIEW} ${version}, as the project has only ${PROVIDER}.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const packages = [PROVIDER, REVIEW].map((name) => `${name}@${version}`);
  // A review needs no SDK, which is a peer of the provider.
  const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = runQuietly('npm', ['install', '--prefix', folder, ...options, ...packages]);
  if (status !== 0) throw new Error(`npm could not install ${packages.join(' and ')}: see its output above`);
  return [process.execPath, path.join(folder, 'node_modules', PROVIDER, 'bin', 'edge-policy.js')];
}
