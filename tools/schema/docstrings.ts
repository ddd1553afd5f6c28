// The texts of the schema: docstrings of the package's own TypeScript, which users of other languages read there, and examples.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { type AnyField, fieldsOf } from '../../provider/src/fields/field';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { registry } from '../../provider/src/resources/registry';

const sources = path.join(__dirname, '..', '..', 'provider', 'src');

/** The docstrings of one declaration. */
export interface Docs {
  readonly self: string;
  readonly members: ReadonlyMap<string, string>;
}

/** The docstrings of an interface (with inherited ones), a class or a constant of a source file, by its name. */
export function docsOf(file: string, name: string): Docs {
  const place = path.join(sources, file);
  const source = ts.createSourceFile(place, readFileSync(place, 'utf8'), ts.ScriptTarget.ES2022, true);
  for (const statement of source.statements) {
    if (ts.isInterfaceDeclaration(statement)) {
      if (statement.name.text === name)
        return {
          self: textOf(statement),
          members: new Map([...inheritedBy(statement, file), ...membersOf(statement)]),
        };
    } else if (ts.isClassDeclaration(statement)) {
      if (statement.name?.text === name) return { self: textOf(statement), members: membersOf(statement) };
    } else if (ts.isFunctionDeclaration(statement)) {
      if (statement.name?.text === name) return { self: textOf(statement), members: new Map() };
    } else if (ts.isVariableStatement(statement) && namesIn(statement).includes(name)) {
      return { self: textOf(statement), members: new Map() };
    }
  }
  throw new Error(`${file} declares no ${name}`);
}

const namesIn = (statement: ts.VariableStatement): string[] =>
  statement.declarationList.declarations.map(({ name }) => name.getText());

/**
 * The docstrings that an interface inherits from another one, or from a type made of one: those of `Inputs<RuleTexts>` are at
 * `RuleTexts`.
 */
function inheritedBy(declaration: ts.InterfaceDeclaration, file: string): Iterable<[string, string]> {
  const bases = (declaration.heritageClauses ?? []).flatMap(({ types }) => types);
  const names = bases.map((base) => (base.typeArguments?.[0] ?? base.expression).getText());
  return names.flatMap((name) => [...docsOf(fileOf(name, declaration.getSourceFile(), file), name).members]);
}

/** The file that declares a name which another file uses. */
function fileOf(name: string, source: ts.SourceFile, file: string): string {
  const from = source.statements
    .filter(ts.isImportDeclaration)
    .find(({ importClause }) => new RegExp(`\\b${name}\\b`).test(importClause?.getText() ?? ''));
  if (from === undefined) return file;
  return path.join(path.dirname(file), `${(from.moduleSpecifier as ts.StringLiteral).text}.ts`);
}

const membersOf = (declaration: ts.InterfaceDeclaration | ts.ClassDeclaration): Map<string, string> =>
  new Map(
    [...declaration.members].flatMap((member) =>
      member.name === undefined ? [] : [[member.name.getText(), textOf(member)] as const],
    ),
  );

/** The text of a docstring as Markdown: links to TypeScript declarations become names. */
function textOf(node: ts.Node): string {
  const [docs] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(docs?.comment) ?? '';
  return text
    .replace(/\{@link (\w+)(?:\.\w+)?\}/g, '`$1`')
    .replace(/([^\n])\n([^\n])/g, '$1 $2')
    .trim();
}

/** The file of a resource's class and arguments. */
export const classFile = (type: ResourceType): string => `program/${kebabCase(type)}.ts`;

export const argumentDocs = (type: ResourceType): Docs => docsOf(classFile(type), `${type}Args`);

/** The docstring of a property, by its name. */
export function saidOf(type: ResourceType): (name: string) => string {
  const [docs, args] = [docsOf(classFile(type), type), argumentDocs(type)];
  return (name) => docs.members.get(name) ?? args.members.get(name) ?? '';
}

/** The fields that programs read. */
export const shownFields = (type: ResourceType): [name: string, field: AnyField][] =>
  fieldsOf(registry[type].shape().fields).filter(([, { onChange }]) => onChange !== 'settings-only');

/** An example in every language, from its file, in the form from which Pulumi's tools select the wanted one. */
export function exampleOf(name: string): string {
  const text = readFileSync(path.join(__dirname, 'examples', `${name}.md`), 'utf8');
  return `{{% examples %}}\n## Example Usage\n\n{{% example %}}\n${text}\n{{% /example %}}\n{{% /examples %}}`;
}

/** The name of a resource or a function, as files have it. */
export const kebabCase = (name: string): string =>
  name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
