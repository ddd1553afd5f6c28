import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The names that a project file may have. */
export const PROJECT_FILES = ['Pulumi.yaml', 'Pulumi.yml', 'Pulumi.json'];

/** A text at the top level of the project file: no reason for a parser of YAML. */
export function projectValue(projectFolder: string, key: 'name' | 'main'): string | undefined {
  const line = new RegExp(`^(?:${key}|\\s*[{,]?\\s*"${key}")\\s*:\\s*["']?([^"',}#\\n]+)`, 'm');
  for (const name of PROJECT_FILES) {
    const value = line.exec(textOfFile(path.join(projectFolder, name)))?.[1];
    if (value !== undefined) return value.trim();
  }
  return undefined;
}

/** The text of a file; empty where it cannot be read. */
export function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
