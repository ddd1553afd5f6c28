import { existsSync } from 'node:fs';
import path from 'node:path';
import { ADOPTED_FUNCTION, literal } from '../adopt/generate';
import { projectValue, textOfFile } from '../pulumi/stack';

/** The line that makes a written module part of the project's program, as the entry file must have it. */
export function moduleLine(module: string, projectFolder: string, isForProvider: boolean): string {
  const { folder, isEsModule, isJavaScript } = entryOf(projectFolder);
  const relative = path.relative(folder, module).split(path.sep).join('/').replace(/\.ts$/, '');
  const specifier = relative.startsWith('.') ? relative : `./${relative}`;
  // Node resolves imports of ES modules literally: TypeScript needs the extension of the compiled file, JavaScript has its own.
  const from = literal(isEsModule && !isJavaScript ? `${specifier}.js` : specifier);
  const isRequired = isJavaScript && !isEsModule;
  if (!isForProvider) return isRequired ? `require(${from});` : `import ${from};`;
  const name = ADOPTED_FUNCTION + (/-(\d+)(?:\.mjs)?$/.exec(relative)?.[1] ?? '');
  const renamed = name === ADOPTED_FUNCTION ? name : `${ADOPTED_FUNCTION}${isRequired ? ':' : ' as'} ${name}`;
  const line = isRequired
    ? `const { ${renamed} } = require(${from});`
    : `import { ${renamed} } from ${from};`;
  return `${line} ${name}(provider); // the Provider that they belong to`;
}

/** Whether the program consists of ES modules in JavaScript, for which nothing compiles TypeScript. */
export function isJavaScriptModule(projectFolder: string): boolean {
  const { isEsModule, isJavaScript } = entryOf(projectFolder);
  return isEsModule && isJavaScript;
}

interface Entry {
  /** The folder of the program's entry file, as its author edits it. */
  readonly folder: string;
  readonly isEsModule: boolean;
  /** Whether the entry is written in JavaScript, and not compiled. */
  readonly isJavaScript: boolean;
}

const EXTENSION = /\.[cm]?[jt]s$/;

/** The entry as the language host finds it: `main` of Pulumi.yaml, then `main` of the package in that folder. */
function entryOf(projectFolder: string): Entry {
  const main = path.resolve(projectFolder, projectValue(projectFolder, 'main') ?? '.');
  const folder = EXTENSION.test(main) ? path.dirname(main) : main;
  const manifest = nearestManifest(folder);
  const named = typeof manifest['main'] === 'string' ? manifest['main'] : 'index';
  const entry = EXTENSION.test(main) ? main : path.resolve(folder, named);
  const isEsModule = manifest['type'] === 'module' || /\.m[jt]s$/.test(entry);
  const bare = entry.replace(EXTENSION, '');
  const isThere = (extensions: readonly string[]): boolean =>
    extensions.some((extension) => existsSync(bare + extension));
  if (entry.endsWith('ts') || isThere(['.ts', '.mts', '.cts']))
    return { folder: path.dirname(entry), isEsModule, isJavaScript: false };
  const isCompiled = existsSync(path.join(projectFolder, 'tsconfig.json'));
  const isJavaScript = !isCompiled && isThere(['.js', '.mjs', '.cjs']);
  // The sources of a program that is compiled elsewhere are taken to be in the folder of the project.
  const isBesideEntry = isJavaScript || (!isCompiled && !EXTENSION.test(entry));
  return { folder: isBesideEntry ? path.dirname(entry) : projectFolder, isEsModule, isJavaScript };
}

function nearestManifest(from: string): Readonly<Record<string, unknown>> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = textOfFile(path.join(folder, 'package.json'));
    if (text !== '') return JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (folder === path.dirname(folder)) return {};
  }
}
