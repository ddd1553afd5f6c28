// What for: prints declarations as TypeScript in the layout of Prettier.
// Must not know: what a rule, a module or a stack is.
import { stringLiteral } from './string-literal';
import { textWidth } from './text-width';
import { type CodeValue, printFlat, printObject } from './value';

/** A resource that a program declares. */
export interface Declaration {
  readonly className: string;
  readonly name: string;
  readonly args: Readonly<Record<string, CodeValue>>;
  /** Resource options. */
  readonly options?: Readonly<Record<string, CodeValue>>;
}

/** A constant that several declarations refer to. */
export interface Constant {
  readonly name: string;
  readonly value: string;
}

/** One part of a generated program: the resources of one policy, edge or route. */
export interface Section {
  readonly comment: string;
  readonly constant?: Constant;
  readonly declarations: readonly Declaration[];
}

const LINE_WIDTH = 80;

/** The function that a module exports if its resources get a provider. */
export const ADOPTED_FUNCTION = 'adopted';

/**
 * Prints a TypeScript module that declares resources, formatted as Prettier would. Resources with an explicit provider are
 * declared in a function that takes the provider: the module cannot import it from the program that imports the module.
 */
export function printProgram(
  packageName: string,
  sections: readonly Section[],
  isForProvider = false,
): string {
  const classes = sections.flatMap(({ declarations }) => declarations.map(({ className }) => className));
  const names = [...new Set(classes)].sort();
  const body = sections.flatMap(printSection).join('\n\n');
  if (!isForProvider) return `${printImport(names, packageName)}\n\n${body}\n`;
  const head = `export function ${ADOPTED_FUNCTION}(provider: Provider): void {`;
  return `${printImport([...names, 'type Provider'], packageName)}\n\n${head}\n${body.replace(/^(?=.)/gm, '  ')}\n}\n`;
}

function printImport(names: readonly string[], packageName: string): string {
  const flat = `import { ${names.join(', ')} } from ${stringLiteral(packageName)};`;
  if (textWidth(flat) <= LINE_WIDTH) return flat;
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

function printDeclaration({ className, name, args, options = {} }: Declaration): string {
  const head = `new ${className}(`;
  const literal = stringLiteral(name);
  // Options are a third argument, and then Prettier keeps no argument on the first line.
  const hasOptions = Object.keys(options).length > 0;
  if (!hasOptions && textWidth(`${head}${literal}, {`) <= LINE_WIDTH) {
    return `${head}${literal}, ${printObject(args, '')});`;
  }
  const lines = [literal, printObject(args, '  '), ...(hasOptions ? [printFlat(options)] : [])];
  return `${head}\n${lines.map((line) => `  ${line},\n`).join('')});`;
}
