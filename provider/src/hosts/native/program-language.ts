import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

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

/** `runtime: python`, or `runtime: { name: python }`, on one line or several, found without a YAML parser. */
const runtimeIn = (project: string): string =>
  /["']?runtime["']?\s*:\s*\{?\s*(?:["']?name["']?\s*:\s*)?["']?(\w+)/.exec(project)?.[1] ?? '';
