import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { type ImportedObject, typescriptWords, type Words } from '../../errors/words';
import { nativeToken } from '../../resources/provider-reference';

/** The words for a program's language, by the name of its runtime. */
export function wordsFor(language: string): Words {
  if (language === 'nodejs' || language === '') return typescriptWords;
  const { name, assigned } = spellings[language] ?? typescriptWords;
  return {
    name,
    assigned,
    // The schema cannot say that a replacement deletes first, so the libraries of other languages do not.
    deleteFirst: `set the option ${assigned('deleteBeforeReplace', true)}`,
    importDeclared: importCommand,
    lookFirst: (ipPolicyId) => `Check the rules of policy ${ipPolicyId} before the next "pulumi up".`,
  };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const capitalised = {
  name: capital,
  assigned: (property: string, value: boolean) => `${capital(property)}: ${value}`,
};

const spellings: Readonly<Record<string, Pick<Words, 'name' | 'assigned'>>> = {
  python: {
    name: snakeCase,
    assigned: (property, value) => `${snakeCase(property)}=${capital(String(value))}`,
  },
  go: capitalised,
  dotnet: capitalised,
};

/** The command line comes with npm. In other languages the engine imports by itself, and writes code in the program's language. */
function importCommand(target: ImportedObject): string {
  const command = (type: string, id: string): string => `pulumi import ${nativeToken(type)} NAME ${id}`;
  switch (target.type) {
    case 'rule':
      return command('IpPolicyRule', 'ID');
    case 'module':
      return command(target.moduleType, target.id);
  }
}

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

/**
 * The section `runtime` of a file in block style: keys begin at the left, and what they hold is indented. The same file holds the
 * program of a YAML project, whose thousands of rules would take a second to parse.
 */
const RUNTIME = /^\uFEFF?(["']?)runtime\1[ \t]*:.*(?:\n(?:[ \t\r#].*)?)*/m;

/** `runtime: python`, or `runtime: { name: python }`. The engine refuses a file that is no YAML before it starts a plugin. */
function runtimeIn(project: string): string {
  const isFlow = project.trimStart().startsWith('{');
  const { contents } = parseDocument(isFlow ? project : (RUNTIME.exec(project)?.[0] ?? ''));
  const runtime = isMap(contents) ? contents.get('runtime') : undefined;
  const name = isMap(runtime) ? runtime.get('name') : runtime;
  return typeof name === 'string' ? name : '';
}
