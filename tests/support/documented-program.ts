import * as pulumi from '@pulumi/pulumi';
import { createRequire } from 'node:module';
import ts from 'typescript';
import { functions } from '../../provider/src/hosts/native/invoke';
import * as packageExports from '../../provider/src/index';
import { typeOfToken } from '../../provider/src/resources/provider-reference';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from './ids';
import type { Bag, HostProcess } from './host-process';
import type { CodeBlock } from './pages';

/** A program of a page in a form that can run: with ids for the placeholders, and with the imports that only a first block shows. */
export const wholeProgram = ({ text }: CodeBlock, ruleId = 'ipr_1'): string => {
  const ids = { ipp: policyId, ipr: ruleId, edgtcp: tcpEdgeId, edghts: httpsEdgeId, edghtsrt: routeId };
  const known = text.replace(
    /\b(ipp|ipr|edgtcp|edghts|edghtsrt)_…/g,
    (_, kind) => ids[kind as keyof typeof ids],
  );
  if (known.replace(/^import type .*$/gm, '').includes("from 'pulumi-edge-policy'")) return known;
  const classes = Object.keys(packageExports).join(', ');
  return `import { ${classes} } from 'pulumi-edge-policy'; ${known}`;
};

/** The resources and exports of a program. */
interface Ran {
  /** Types and names, in the order of registration. */
  readonly resources: readonly string[];
  readonly exported: Readonly<Record<string, unknown>>;
}

/**
 * Runs a program with the SDK's mocks as its engine: the provider itself checks and creates each resource, or reads it, and
 * answers functions.
 *
 * @throws Error with everything that the provider refuses.
 */
export const runProgram = async (text: string, host: HostProcess): Promise<Ran> => {
  const resources: string[] = [];
  const refused: string[] = [];
  await pulumi.runtime.setMocks({
    newResource: async ({ type, name, inputs, id }) => {
      const own = typeOfToken(type);
      resources.push(`${own ?? type} ${name}`);
      if (own === undefined) return { id: `${name}-id`, state: inputs as object };
      try {
        return await live(host.provider(own), inputs as Bag, id);
      } catch (error) {
        refused.push((error as Error).message);
        return { id: '', state: {} };
      }
    },
    call: ({ token, inputs }) => {
      const [, , name = ''] = token.split(':');
      return functions[name as keyof typeof functions].look(
        () => host.client,
        inputs as Record<string, string>,
      );
    },
  });
  const exports = evaluate(text);
  await pulumi.runtime.disconnect();
  if (refused.length > 0) throw new Error(refused.join('\n'));
  const values = Object.entries(exports).map(async ([name, value]) => [name, await valueOf(value)] as const);
  return { resources, exported: Object.fromEntries(await Promise.all(values)) };
};

async function live(
  provider: ReturnType<HostProcess['provider']>,
  inputs: Bag,
  id: string | undefined,
): Promise<{ id: string; state: Bag }> {
  if (id !== undefined && id !== '') {
    const found = await provider.read(id, {});
    if (found.id === '') throw new Error(`there is no ${id}`);
    return { id: found.id, state: found.props };
  }
  const checked = await provider.check({}, inputs);
  if (checked.failures.length > 0) throw new Error(checked.failures.join('\n'));
  const { id: created, outs } = await provider.create(checked.inputs);
  return { id: created, state: outs };
}

function evaluate(text: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const module = { exports: {} };
  const load: (name: string) => unknown = createRequire(__filename);
  const found: Record<string, unknown> = { 'pulumi-edge-policy': packageExports, '@pulumi/pulumi': pulumi };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a program of a page, with arrays of this very realm
  const run = new Function('require', 'exports', outputText) as (...scope: unknown[]) => void;
  run((name: string): unknown => found[name] ?? load(name), module.exports);
  return module.exports;
}

const valueOf = (value: unknown): Promise<unknown> => {
  const output: pulumi.Output<unknown> = pulumi.output(value);
  return new Promise((resolve) => {
    output.apply(resolve);
  });
};
