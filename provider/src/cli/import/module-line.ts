import path from 'node:path';
import { ADOPTED_FUNCTION } from '../../adopt/code/program';
import { stringLiteral } from '../../adopt/code/string-literal';
import { projectValue, textOfFile } from '../pulumi/stack';

/** The line that makes a written module part of the project's program, as it has to stand in its entry file. */
export function moduleLine(module: string, projectFolder: string): string {
  const entry = entryOf(projectFolder);
  const relative = path.relative(entry.folder, module).split(path.sep).join('/').replace(/\.ts$/, '');
  const specifier = relative.startsWith('.') ? relative : `./${relative}`;
  // Node resolves the imports of an ES module as they stand: with the extension of what is compiled.
  const from = stringLiteral(entry.isEsModule ? `${specifier}.js` : specifier);
  if (!textOfFile(module).includes(`export function ${ADOPTED_FUNCTION}(`)) return `import ${from};`;
  const number = /-(\d+)$/.exec(relative)?.[1];
  const name = number === undefined ? ADOPTED_FUNCTION : `${ADOPTED_FUNCTION}${number}`;
  const imported = number === undefined ? name : `${ADOPTED_FUNCTION} as ${name}`;
  return `import { ${imported} } from ${from}; ${name}(provider); // the Provider that they belong to`;
}

interface Entry {
  /** The folder of the program's entry file. */
  readonly folder: string;
  readonly isEsModule: boolean;
}

/** The entry as the language host finds it: `main` of Pulumi.yaml, then `main` of the package that it points to. */
function entryOf(projectFolder: string): Entry {
  const main = path.resolve(projectFolder, projectValue(projectFolder, 'main') ?? '.');
  const isFile = /\.[cm]?[jt]s$/.test(main);
  const folder = isFile ? path.dirname(main) : main;
  const manifest = nearestManifest(folder);
  const ofPackage = isFile ? undefined : textOf(manifest['main']);
  // A main in JavaScript is what a compiler writes; the sources are not there.
  const isSource = ofPackage !== undefined && /\.[cm]?ts$/.test(ofPackage);
  return {
    folder: isSource ? path.dirname(path.resolve(folder, ofPackage)) : folder,
    isEsModule: manifest['type'] === 'module' || /\.m[jt]s$/.test(isFile ? main : (ofPackage ?? '')),
  };
}

function nearestManifest(from: string): Readonly<Record<string, unknown>> {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const text = textOfFile(path.join(folder, 'package.json'));
    if (text !== '') return JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (folder === path.dirname(folder)) return {};
  }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
