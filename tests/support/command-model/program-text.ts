import { literal } from '../programs';
import type { Declared } from './model-cli';

/** A TypeScript program that declares these resources; those of written modules by importing the module. */
export const programText = (program: readonly Declared[]): string => {
  const own = program.filter(({ module }) => module === undefined);
  const modules = new Set(program.flatMap(({ module }) => module ?? []));
  return [
    `import * as pulumi from '@pulumi/pulumi';`,
    `import * as edge from 'pulumi-edge-policy';`,
    ...[...modules].map((file) => `import './adopted/${file.replace(/\.ts$/, '')}';`),
    ...(own.some(({ component }) => component !== undefined) ? [component] : []),
    ...(own.some(({ provider }) => provider !== undefined) ? [provider] : []),
    ...own.map(resourceText),
  ].join('\n');
};

const component = `
  class Site extends pulumi.ComponentResource {
    constructor() { super('test:index:Site', 'site'); }
  }
  const site = new Site();`;

const provider = `
  const second = new edge.Provider('second', {
    apiKey: pulumi.secret(process.env.SECOND_KEY!), baseUrl: process.env.EDGE_POLICY_BASE_URL,
  });`;

const resourceText = (declared: Declared): string => {
  const { type, name, aliases = [] } = declared;
  const inputs = Object.entries(declared.inputs).map(
    ([key, value]) => `${key}: ${inputText(declared, key, value)}`,
  );
  const options = [
    ...(declared.component === undefined ? [] : ['parent: site']),
    ...(declared.provider === undefined ? [] : ['provider: second']),
    ...(declared.isProtected === true ? ['protect: true'] : []),
    ...(aliases.length === 0
      ? []
      : [`aliases: [${aliases.map((alias) => `{ name: ${literal(alias)} }`).join(', ')}]`]),
  ];
  return `new edge.${type}(${literal(name)}, { ${inputs.join(', ')} }, { ${options.join(', ')} });`;
};

/** The rules of a set are JSON in the model; a secret comes from the environment, as texts of programs are no secrets. */
const inputText = ({ isSecret }: Declared, key: string, value: unknown): string => {
  if (key === 'rules') return String(value);
  if (key === 'description' && isSecret === true) return 'pulumi.secret(process.env.CANARY_SECRET!)';
  return literal(value);
};
