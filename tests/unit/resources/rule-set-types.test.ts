import path from 'node:path';
import ts from 'typescript';
import { checkout } from '../../support/workspace';

const file = path.join(__dirname, 'program-with-typos.ts');

/** What the compiler says of a program, by line. */
function messagesOf(program: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
  };
  const host = ts.createCompilerHost(options);
  const disk = ts.createCompilerHost(options);
  host.fileExists = (name) => name === file || disk.fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, program, ts.ScriptTarget.ES2022)
      : disk.getSourceFile(name, ...rest);
  const { length } = program.slice(0, program.indexOf('[') + 1).split('\n');
  return (
    ts
      .getPreEmitDiagnostics(ts.createProgram([file], options, host))
      // The package's own sources are compiled with other options.
      .filter((found) => found.file?.fileName === file)
      .map(({ start = 0, messageText }) => {
        const line = program.slice(0, start).split('\n').length - length;
        return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')[0] ?? ''}`;
      })
  );
}

test('the compiler reports a typo in a rule as that typo, in a list and in a map', () => {
  const provider = path.relative(
    path.dirname(file),
    path.join(checkout, 'provider/src/program/rule-set-args'),
  );
  const program = `import type { IpPolicyRuleSetRules } from '${provider}';
export const sets: IpPolicyRuleSetRules[] = [
  [{ cidr: '10.0.0.0/8', action: 'allow', descripton: 'office' }],
  [{ cidr: '10.0.0.0/8', action: 'alow' }],
  [{ cdir: '10.0.0.0/8', action: 'allow' }],
  [{ cidr: 7, action: 'allow' }],
  { '10.0.0.0/8': { action: 'allow', descripton: 'office' } },
  { '10.0.0.0/8': { action: 'alow' } },
  [{ cidr: '10.0.0.0/8', action: 'allow' }],
  { '2001:db8::/32': { action: 'allow' } },
];
`;
  const unknownField = (name: string, type: string): string =>
    `Object literal may only specify known properties, and '${name}' does not exist in type 'Input<${type}>'.`;
  const misspelt = `Type '"alow"' is not assignable to type 'Input<"allow" | "deny">'. Did you mean '"allow"'?`;
  expect(messagesOf(program)).toEqual([
    `1: ${unknownField('descripton', 'IpPolicyRuleSetListedRuleArgs')}`,
    `2: ${misspelt}`,
    `3: ${unknownField('cdir', 'IpPolicyRuleSetListedRuleArgs')}`,
    "4: Type 'number' is not assignable to type 'Input<string>'.",
    `5: ${unknownField('descripton', 'IpPolicyRuleSetRuleArgs')}`,
    `6: ${misspelt}`,
  ]);
});
