import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, parseDocument } from 'yaml';

/** The language of a Pulumi program, by the name of its runtime; empty if it is unknown. */
export function programLanguage(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const file = ['Pulumi.yaml', 'Pulumi.yml', 'Pulumi.json']
      .map((name) => path.join(folder, name))
      .find(existsSync);
    if (file !== undefined) return runtimeIn(readFileSync(file, 'utf8'));
    if (folder === path.dirname(folder)) return '';
  }
}

/** `runtime: python`, or `runtime: { name: python }`. The engine refuses a file that is no YAML before it starts a plugin. */
function runtimeIn(project: string): string {
  const { contents } = parseDocument(project);
  const runtime = isMap(contents) ? contents.get('runtime') : undefined;
  const name = isMap(runtime) ? runtime.get('name') : runtime;
  return typeof name === 'string' ? name : '';
}
