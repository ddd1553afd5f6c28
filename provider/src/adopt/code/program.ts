import { stringLiteral } from './string-literal';
import { textWidth } from './text-width';
import { type CodeValue, printObject } from './value';

/** A resource that a program declares. */
export interface Declaration {
  readonly className: string;
  readonly name: string;
  readonly args: Readonly<Record<string, CodeValue>>;
  /** Resource options, where there are any. */
  readonly options?: { readonly protect: boolean };
}

/** A constant that several declarations refer to. */
export interface Constant {
  readonly name: string;
  readonly value: string;
}

/** One part of a generated program: what belongs to one policy, edge or route. */
export interface Section {
  readonly comment: string;
  readonly constant?: Constant;
  readonly declarations: readonly Declaration[];
}

const lineWidth = 80;

/** Prints a TypeScript module that declares resources, formatted as the usual formatters would. */
export function printProgram(packageName: string, sections: readonly Section[]): string {
  const classes = sections.flatMap(({ declarations }) => declarations.map(({ className }) => className));
  const parts = [printImport([...new Set(classes)].sort(), packageName), ...sections.flatMap(printSection)];
  return `${parts.join('\n\n')}\n`;
}

function printImport(names: readonly string[], packageName: string): string {
  const flat = `import { ${names.join(', ')} } from ${stringLiteral(packageName)};`;
  if (textWidth(flat) <= lineWidth) return flat;
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from ${stringLiteral(packageName)};`;
}

function printSection({ comment, constant, declarations }: Section): string[] {
  const heading = `// ${comment}`;
  const printed = declarations.map(printDeclaration);
  if (constant !== undefined) {
    return [`${heading}\nconst ${constant.name} = ${stringLiteral(constant.value)};`, ...printed];
  }
  const [first, ...rest] = printed;
  return first === undefined ? [] : [`${heading}\n${first}`, ...rest];
}

function printDeclaration({ className, name, args, options }: Declaration): string {
  const head = `new ${className}(`;
  const literal = stringLiteral(name);
  // Options make a third argument, and then no argument can stay on the first line.
  if (options === undefined && textWidth(`${head}${literal}, {`) <= lineWidth) {
    return `${head}${literal}, ${printObject(args, '')});`;
  }
  const lines = [
    literal,
    printObject(args, '  '),
    ...(options === undefined ? [] : [`{ protect: ${options.protect} }`]),
  ];
  return `${head}\n${lines.map((line) => `  ${line},\n`).join('')});`;
}
