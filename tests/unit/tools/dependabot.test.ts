import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { parse } from 'yaml';
import { checkout, textOf } from '../../support/workspace';

interface Update {
  readonly 'package-ecosystem': string;
  readonly directory?: string;
  readonly directories?: readonly string[];
}

const { updates } = parse(textOf('.github/dependabot.yml')) as { readonly updates: readonly Update[] };
const { workspaces } = JSON.parse(textOf('package.json')) as { readonly workspaces: readonly string[] };

/** The manifests of each ecosystem; the packages of the workspace have their versions in the lock file of the root. */
const MANIFESTS: Readonly<Record<string, RegExp>> = {
  npm: /(?:^|\/)package\.json$/,
  gomod: /(?:^|\/)go\.mod$/,
  // Dependabot finds the workflows from the root.
  'github-actions': /^\.github\/workflows\/|^action\/[\w-]+\/action\.yml$/,
  pip: /(?:^|\/)requirements\.txt$/,
  maven: /(?:^|\/)pom\.xml$/,
};

const files = execFileSync('git', ['ls-files', '-z'], { cwd: checkout }).toString().split('\0');
const foldersWith = (name: RegExp): string[] =>
  files
    .filter((file) => name.test(file))
    .map((file) => path.join('/', path.dirname(file).replace('.github/workflows', '')))
    .filter((folder) => !workspaces.includes(folder.slice(1)));

test.each(Object.entries(MANIFESTS))(
  'Dependabot looks into every folder with a manifest of %s, and into no other',
  (name, file) => {
    const named = updates
      .filter((update) => update['package-ecosystem'] === name)
      .flatMap(({ directory, directories = [] }) => [
        ...directories,
        ...(directory === undefined ? [] : [directory]),
      ]);
    const patterns = named.map((folder) => new RegExp(`^${folder.replaceAll('*', '[^/]+')}$`));
    const folders = foldersWith(file);
    expect(folders.filter((folder) => !patterns.some((pattern) => pattern.test(folder)))).toEqual([]);
    expect(named.filter((_, at) => !folders.some((folder) => patterns[at]?.test(folder)))).toEqual([]);
  },
);
