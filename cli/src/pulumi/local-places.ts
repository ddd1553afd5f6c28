import { repositoriesAround } from '../command/folders';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Of a resource in an ES module, Node names the file by its URL. The SDK takes that for a relative path, so the engine notes
 * the absolute path on the machine that ran the program: `project:///file:/home/runner/work/infra/index.js#7,3`.
 */
const IN_ES_MODULE = /(?<=(?<!\\)"sourcePosition":\s*"project:\/\/\/)[^"#]*?file:(\/[^"#]+)(?=#)/g;

/**
 * The JSON of a preview or a state with these paths made relative to the project. One that names no file of the repository around
 * the project, or more than one, stays as it is, and then counts as no place.
 */
export const withLocalPlaces = (json: string, projectFolder: string | undefined): string =>
  projectFolder === undefined
    ? json
    : json.replace(IN_ES_MODULE, (noted, file: string) => {
        const local = fileHere(decodedTwice(file), projectFolder);
        if (local === undefined) return noted;
        return path.relative(projectFolder, local).split(path.sep).map(encodeURIComponent).join('/');
      });

/**
 * The file of the repository that a path means, by its own path or by its end: the repository may lie elsewhere here. None for
 * TypeScript, as the line may be one of the JavaScript that ts-node has made of it in memory.
 */
function fileHere(file: string, projectFolder: string): string | undefined {
  if (/\.[cm]?tsx?$/.test(file)) return undefined;
  const [root = projectFolder] = repositoriesAround(projectFolder);
  if (file.startsWith(`${root}/`) && existsSync(file)) return file;
  const names = file.split('/').slice(1);
  if (names.includes('..')) return undefined;
  const ends = names.map((_, at) => path.join(root, ...names.slice(at))).filter((end) => existsSync(end));
  return ends.length === 1 ? ends[0] : undefined;
}

/** Node has encoded the path, and then the SDK. */
function decodedTwice(file: string): string {
  try {
    return decodeURIComponent(decodeURIComponent(file));
  } catch {
    return file;
  }
}
