import { PROVIDER_KEY } from 'pulumi-edge-policy/internal/fields/field';
import {
  type Host,
  providerReference,
  tokenOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import { registry, withDerived } from 'pulumi-edge-policy/internal/resources/registry';
import type { Adoption } from './adoption';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

/** A text, number, boolean or null as TypeScript. Unprintable characters are escaped: code must not look like what it is not. */
const literal = (value: unknown): string => printableJson(value).trimEnd();

const PACKAGE_NAME = 'pulumi-edge-policy';

/**
 * The module that declares the adopted resources. Resources with an explicit provider are declared in a function that takes the
 * provider: the module cannot import it from the program that imports the module.
 */
export function generateProgram(
  adoptions: readonly Adoption[],
  { provider, form = 'typescript' }: Pick<ImportTarget, 'provider'> & { readonly form?: ProgramForm },
): string {
  const isForProvider = provider !== undefined;
  const classes = [...new Set(adoptions.map(({ type }) => type))].sort();
  const body = adoptions
    .map((adoption, index) => {
      const isFirst = adoption.comment !== adoptions[index - 1]?.comment;
      return `${isFirst ? `// ${adoption.comment}\n` : ''}${declarationOf(adoption, isForProvider)}`;
    })
    .join('\n');
  const names = [...classes, ...(isForProvider && form === 'typescript' ? ['type Provider'] : [])].join(', ');
  const from = literal(PACKAGE_NAME);
  const begin =
    form === 'commonjs'
      ? `const { ${names} } = require(${from});\n\n`
      : `import { ${names} } from ${from};\n\n`;
  return isForProvider ? `${begin}${OPENINGS[form]}\n${body.replace(/^(?=.)/gm, '  ')}}\n` : begin + body;
}

/** The language of a program for Node.js, and in JavaScript its kind of modules. */
export type ProgramForm = 'typescript' | 'commonjs' | 'module';

const OPENINGS: Readonly<Record<ProgramForm, string>> = {
  typescript: 'export function adopted(provider: Provider): void {',
  commonjs: 'exports.adopted = function adopted(provider) {',
  module: 'export function adopted(provider) {',
};

const declarationOf = ({ type, name, args }: Adoption, isForProvider: boolean): string =>
  `new ${type}(${literal(name)}, ${codeOf(args, '', true)}${isForProvider ? ', { provider }' : ''});\n`;

/** Where an import puts resources: their host, and the URN of their provider if it is not the stack's default one. */
export interface ImportTarget {
  readonly host: Host;
  readonly provider?: string;
}

/** The import file of the engine. As it gives outputs, the engine trusts them and does not ask the provider. */
export function generateImportFile(adoptions: readonly Adoption[], { host, provider }: ImportTarget): object {
  return {
    // The engine looks it up by a name in the file, which must differ from the names of resources.
    ...(provider !== undefined && { nameTable: { [ITS_PROVIDER]: provider } }),
    resources: adoptions.map(({ type, name, id, inputs, outputs }) => {
      const reference = host === 'native' ? {} : { [PROVIDER_KEY]: providerReference(type) };
      const answered = host === 'native' ? withDerived(registry[type].shape(), outputs) : outputs;
      return {
        type: tokenOf(type, host),
        name,
        id,
        ...(provider !== undefined && { provider: ITS_PROVIDER }),
        inputs: { ...inputs, ...reference },
        outputs: { ...answered, ...reference },
      };
    }),
  };
}

const ITS_PROVIDER = 'its provider';

const LINE_WIDTH = 80;

/** A value as TypeScript: on one line if it is not indented, or fits and need not be open, else with each member on a line of its own. */
function codeOf(value: unknown, indent?: string, isOpen = false): string {
  if (typeof value !== 'object' || value === null) return literal(value);
  const members = membersOf(value);
  const [begin, end, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' '];
  if (members.length === 0) return begin + end;
  const flat = begin + space + members.map(([key, member]) => key + codeOf(member)).join(', ') + space + end;
  if (indent === undefined || (!isOpen && indent.length + flat.length <= LINE_WIDTH)) return flat;
  const inner = `${indent}  `;
  const lines = members.map(([key, member]) => `${inner}${key}${codeOf(member, inner)},\n`);
  return `${begin}\n${lines.join('')}${indent}${end}`;
}

/** The members of a list or an object, each with the text that stands before it. */
const membersOf = (value: object): (readonly [key: string, member: unknown])[] =>
  Array.isArray(value)
    ? value.map((member: unknown) => ['', member])
    : Object.entries(value).map(([key, member]) => [`${propertyName(key)}: `, member]);

/** A key as it stands in code. None begins with two underscores: a policy that has such a key is stated as a text. */
const propertyName = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key));
