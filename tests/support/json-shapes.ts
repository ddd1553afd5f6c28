import path from 'node:path';
import ts from 'typescript';
import { compilerOptions } from './compiler-complaints';
import { checkout } from './workspace';

/** What each command prints for `--json`, and the file that prints it. The review and drift print the report, which has a schema. */
const PRINTED_IN = [
  ['import', 'cli/src/import/describe.ts'],
  ['list', 'cli/src/list/command.ts'],
  ['doctor', 'cli/src/doctor/command.ts'],
  ['explain', 'review/src/explain/render-answers.ts'],
  ['explain', 'review/src/traffic/explain-clients.ts'],
  ['page', 'cli/src/page/command.ts'],
  ['recover', 'cli/src/recover/run-recover.ts'],
  ['drift', 'cli/src/drift/command.ts'],
] as const;

/** The types of the JSON that the commands print, by command, as the compiler infers them from the code that prints. */
export function jsonShapes(): Map<string, string[]> {
  const files = PRINTED_IN.map(([, file]) => place(file));
  const program = ts.createProgram(files, compilerOptions(PATHS));
  const checker = program.getTypeChecker();
  const shapes = new Map<string, string[]>();
  for (const [command, file] of PRINTED_IN) {
    const source = program.getSourceFile(place(file));
    const printed = source === undefined ? [] : argumentsOf(source, 'printableJson');
    const found = printed.map((node) => shapeOf(checker.getTypeAtLocation(node), checker));
    shapes.set(command, [...(shapes.get(command) ?? []), ...found]);
  }
  return shapes;
}

const PATHS = {
  'pulumi-edge-policy/internal/*': [path.join(checkout, 'provider/src/*')],
  'pulumi-edge-policy-review': [path.join(checkout, 'review/src/index.ts')],
  'pulumi-edge-policy-review/*': [path.join(checkout, 'review/src/*')],
};

const place = (file: string): string => path.join(checkout, file);

/** The first argument of each call of a function in a file. */
function argumentsOf(source: ts.SourceFile, name: string): ts.Expression[] {
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText(source) === name)
      found.push(...node.arguments.slice(0, 1));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A type with all that it consists of; a member that may be absent has a question mark. */
function shapeOf(type: ts.Type, checker: ts.TypeChecker): string {
  if (type.isUnion()) return unionOf(type, checker);
  if (checker.isArrayType(type)) {
    const [element] = checker.getTypeArguments(type as ts.TypeReference);
    const shape = element === undefined ? 'unknown' : shapeOf(element, checker);
    return element?.isUnion() === true && shape.includes(' | ') ? `(${shape})[]` : `${shape}[]`;
  }
  if ((type.flags & ts.TypeFlags.Object) === 0) return checker.typeToString(type);
  const members = checker.getPropertiesOfType(type).map((member) => memberOf(member, checker));
  return blockOf(members.sort(byPresence));
}

function memberOf(member: ts.Symbol, checker: ts.TypeChecker): string {
  const type = checker.getTypeOfSymbol(member);
  const mayBeAbsent = (member.flags & ts.SymbolFlags.Optional) !== 0 || partsOf(type).some(isUndefined);
  return `${member.name}${mayBeAbsent ? '?' : ''}: ${shapeOf(type, checker)}`;
}

/** On one line, if it fits. */
function blockOf(members: readonly string[]): string {
  const line = `{ ${members.join(', ')} }`;
  if (line.length < LONGEST_LINE && !line.includes('\n')) return line;
  return `{\n${members.map((member) => `${member},`.replace(/^/gm, '  ')).join('\n')}\n}`;
}

const LONGEST_LINE = 100;

/** Members that are always there come first. */
const byPresence = (left: string, right: string): number =>
  Number(/^[\w-]+\?/.test(left)) - Number(/^[\w-]+\?/.test(right)) || (left < right ? -1 : 1);

const partsOf = (type: ts.Type): ts.Type[] => (type.isUnion() ? type.types : [type]);

const isUndefined = ({ flags }: ts.Type): boolean => (flags & ts.TypeFlags.Undefined) !== 0;

const unionOf = (type: ts.UnionType, checker: ts.TypeChecker): string =>
  [...new Set(partsOf(type).flatMap((part) => (isUndefined(part) ? [] : [shapeOf(part, checker)])))]
    .sort()
    .join(' | ')
    .replace('false | true', 'boolean')
    .replace(/^null \| (.*)$/, '$1 | null');
