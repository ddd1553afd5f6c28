import vm from 'node:vm';
import fc from 'fast-check';
import ts from 'typescript';
import type { Adoption } from '../../../cli/src/adopt/adoption';
import { generateProgram } from '../../../cli/src/adopt/generate';
import { planAdoption, type RuleForm } from '../../../cli/src/adopt/plan-adoption';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { checkFields } from '../../../provider/src/fields/check';
import { diffFields } from '../../../provider/src/fields/field';
import { RESOURCE_TYPES, type ResourceType } from '../../../provider/src/resources/provider-reference';
import { registry } from '../../../provider/src/resources/registry';
import { otherPolicyId, policyId } from '../../support/ids';
import { liveRule, nothingThere, withModules, withRules } from './support/live';
import { storableText } from './support/texts';

interface Declared {
  readonly type: ResourceType;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Compiles a generated program and notes what it declares; the classes' own work is the engine tests' subject. */
const declarationsOf = (program: string): Declared[] => {
  const compiled = ts.transpileModule(program, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
  });
  expect(compiled.diagnostics).toEqual([]);
  expect(program.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  const declared: Declared[] = [];
  const classes = Object.fromEntries(
    RESOURCE_TYPES.map((type) => [
      type,
      function note(name: string, args: Record<string, unknown>) {
        declared.push({ type, name, args: structuredClone(args) });
      },
    ]),
  );
  vm.runInNewContext(compiled.outputText, { exports: {}, require: () => classes });
  return declared;
};

/** What the engine would hold of the declaration: texts as the classes send them, then checked against the state. */
const previewOf = (
  { type, args }: Declared,
  adoption: Adoption,
): { changes: boolean; failures: readonly string[] } => {
  const table = registry[type].shape().fields;
  const asText = (value: unknown): unknown => (typeof value === 'object' ? JSON.stringify(value) : value);
  const sent = {
    ...args,
    ...('rules' in args && { rules: asText(args['rules']) }),
    ...('value' in args && { value: asText(args['value']) }),
  };
  const { inputs, failures } = checkFields(table, adoption.inputs, sent);
  const { __provider: _reference, ...before } = adoption.inputs as Record<string, unknown>;
  // Not only no change: not even another text in the inputs, which a preview would show.
  expect(inputs).toEqual(before);
  return { changes: diffFields(table, adoption.outputs, inputs).changes, failures };
};

const expectNoChange = (adoptions: readonly Adoption[]): void => {
  const declared = declarationsOf(generateProgram(adoptions, {}));
  expect(declared.map(({ name }) => name).sort()).toEqual(adoptions.map(({ name }) => name).sort());
  for (const adoption of adoptions) {
    const own = declared.find(({ name, type }) => name === adoption.name && type === adoption.type);
    expect(own && previewOf(own, adoption)).toEqual({ changes: false, failures: [] });
  }
};

const network = fc.oneof(
  fc.nat({ max: 0xffffff }).map((n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}/32`),
  fc.nat({ max: 255 }).map((n) => `10.${n}.0.0/16`),
  fc.nat({ max: 0xffff }).map((n) => `2001:db8:${n.toString(16)}::/48`),
  fc.constantFrom('0.0.0.0/0', '::/0', '192.0.2.1', '2001:DB8:0:0::/32'),
);

const anyRule = fc
  .record({
    cidr: network,
    action: fc.constantFrom('allow' as const, 'deny' as const),
    description: fc.option(storableText(255), { nil: undefined }),
    metadata: fc.option(fc.oneof(storableText(4096), fc.json()), { nil: undefined }),
    policyId: fc.constantFrom(policyId, otherPolicyId),
  })
  .map(({ cidr, description, metadata, ...rest }): ServiceRule =>
    liveRule(cidr, {
      ...rest,
      // The client takes "" for a text that is not set.
      ...(description !== undefined && description !== '' && { description }),
      ...(metadata !== undefined && metadata !== '' && { metadata }),
    }),
  );

test('round trip: any rules the service can hold survive import, generated program and preview without a change', () => {
  const form = fc.constantFrom<RuleForm | undefined>('rules', 'set', undefined);
  fc.assert(
    fc.property(fc.array(anyRule, { minLength: 1, maxLength: 25 }), form, (rules, chosen) => {
      const plan = planAdoption(withRules(rules), nothingThere, chosen);
      expect(plan.notAdoptable).toEqual([]);
      expect(plan.adoptions.flatMap(({ liveIds }) => liveIds).sort()).toEqual(
        rules.map(({ id }) => id).sort(),
      );
      expectNoChange(plan.adoptions);
    }),
    { numRuns: 200 },
  );
});

test('round trip: any traffic policy and any patterns survive as well', () => {
  const policy = fc.record(
    {
      inbound: fc.array(
        fc.record({
          name: storableText(40),
          expressions: fc.array(storableText(60), { maxLength: 3 }),
          actions: fc.array(
            fc.record({ type: storableText(10), config: fc.jsonValue() }, { requiredKeys: ['type'] }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
        { maxLength: 3 },
      ),
      other: fc.dictionary(fc.constantFrom('__proto__', 'a', 'a-b'), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const spaced = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(
      policy,
      spaced,
      fc.boolean(),
      fc.array(storableText(30), { maxLength: 4 }),
      (document, space, enabled, texts) => {
        const value = JSON.stringify(document, undefined, space);
        const deny = texts.map((text) =>
          text.replace(/[^\p{L}\p{N} "'`\\\n]/gu, '').replaceAll('\\', '\\\\'),
        );
        const live = withModules({ enabled, value: value.toWellFormed() }, { enabled, allow: [], deny });
        expectNoChange(planAdoption(live, nothingThere).adoptions);
      },
    ),
    { numRuns: 200 },
  );
});
