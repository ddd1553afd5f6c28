import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An example in every language, from its file, in the form from which Pulumi's tools select the wanted one. */
export function exampleOf(name: string): string {
  const text = readFileSync(path.join(__dirname, 'examples', `${name}.md`), 'utf8');
  return `{{% examples %}}\n## Example Usage\n\n{{% example %}}\n${text}\n{{% /example %}}\n{{% /examples %}}`;
}

/** The name of a resource or a function, as files have it. */
export const kebabCase = (name: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
