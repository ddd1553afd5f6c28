import { existsSync } from 'node:fs';
import path from 'node:path';
import { ADOPTED_FUNCTION } from '../adopt/code/print-program';
import { stringLiteral } from '../adopt/code/string-literal';
import { projectValue, textOfFile } from '../pulumi/stack';

/** The line that makes a written module part of the project's program, as the entry file must have it. */
export function moduleLine(module: string, projectFolder: string): string {
  const entry = entryOf(projectFolder);
  const relative = path.relative(entry.folder, module).split(path.sep).join('/').replace(/\.ts$/, '');
  const specifier = relative.startsWith('.') ? relative : `./${relative}`;
  // Node resolves imports of ES modules literally, so they need the extension of the compiled file.
  const from = stringLiteral(entry.isEsModule ? `${specifier}.js` : specifier);
  const [bringsIn, takesFrom] = entry.isCommonJs ? ['require(', ')'] : ['import ', ''];
  if (!textOfFile(module).includes(`export function ${ADOPTED_FUNCTION}(`))
    return `${bringsIn}${from}${takesFrom};`;
  const number = /-(\d+)$/.exec(relative)?.[1];
  const name = number === undefined ? ADOPTED_FUNCTION : `${ADOPTED_FUNCTION}${number}`;
  const renamed = entry.isCommonJs ? `${ADOPTED_FUNCTION}: ${name}` : `${ADOPTED_FUNCTION} as ${name}`;
  const imported = `{ ${number === undefined ? name : renamed} }`;
  const line = entry.isCommonJs
    ? `const ${imported} = require(${from});`
    : `import ${imported} from ${from};`;
  return `${line} ${name}(provider); // the Provider that they belong to`;
}

interface Entry {
  /** The folder of the program's entry file, as its author edits it. */
  readonly folder: string;
  readonly isEsModule: boolean;
  /** JavaScript that loads modules with `require`. */
  readonly isCommonJs: boolean;
}

/** The entry as the language host finds it: `main` of Pulumi.yaml, then `main` of the package in that folder. */
function entryOf(projectFolder: string): Entry {
  const main = path.resolve(projectFolder, projectValue(projectFolder, 'main') ?? '.');
  const isFile = /\.[cm]?[jt]s$/.test(main);
  const folder = isFile ? path.dirname(main) : main;
  const manifest = nearestManifest(folder);
  const file = isFile ? main : path.resolve(folder, textOf(manifest['main']) ?? 'index');
  const source = sourceOf(file, projectFolder);
  const isEsModule = manifest['type'] === 'module' || /\.m[jt]s$/.test(file);
  return {
    folder: source ?? (isFile || existsSync(path.dirname(file)) ? path.dirname(file) : folder),
    isEsModule,
    isCommonJs: !isEsModule && source === undefined,
  };
}

/** The folder of the TypeScript that an entry is, or is compiled from; `undefined` for handwritten JavaScript. */
function sourceOf(entry: string, projectFolder: string): string | undefined {
  const folder = path.dirname(entry);
  const bare = entry.replace(/\.[cm]?[jt]s$/, '');
  if (/\.[cm]?ts$/.test(entry) || existsSync(`${bare}.ts`)) return folder;
  const config = textOfFile(path.join(projectFolder, 'tsconfig.json'));
  if (config === '') {
    if (existsSync(`${bare}.js`) || existsSync(`${bare}.cjs`)) return undefined;
    return bare === entry ? folder : projectFolder;
  }
  const option = (name: string): string | undefined =>
    new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`).exec(config)?.[1];
  const below = path.relative(path.resolve(projectFolder, option('outDir') ?? '.'), folder);
  return below.startsWith('..')
    ? projectFolder
    : path.resolve(projectFolder, option('rootDir') ?? '.', below);
}

function nearestManifest(from: string): Readonly<Record<string, unknown>> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = textOfFile(path.join(folder, 'package.json'));
    if (text !== '') return JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (folder === path.dirname(folder)) return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
