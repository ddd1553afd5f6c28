import { symlinkSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { folderOf } from './folder';
import { checkout } from './workspace';

/** The compiler's errors in users' programs, by file name. */
export const compilerComplaints = (programs: ReadonlyMap<string, string>): Record<string, string[]> => {
  const folder = folderOf(Object.fromEntries(programs));
  // Where programs find the SDK, as in a project of their own.
  symlinkSync(path.join(checkout, 'node_modules'), path.join(folder, 'node_modules'));
  const files = Array.from(programs.keys(), (name) => path.join(folder, name));
  const source = (name: string): string[] => [path.join(checkout, name, 'src', 'index.ts')];
  const paths = { 'pulumi-edge-policy': source('provider'), 'edge-policy-emulator': source('emulator') };
  const program = ts.createProgram(files, { ...compilerOptions(paths), noUnusedLocals: false });
  const complaints = files.map((file): [string, string[]] => {
    const source = program.getSourceFile(file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return [
      path.basename(file),
      found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ];
  });
  return Object.fromEntries(complaints.filter(([, found]) => found.length > 0));
};

/** The options of this repository, with the places of its packages. */
export function compilerOptions(paths: Readonly<Record<string, string[]>>): ts.CompilerOptions {
  const config = ts.readConfigFile(path.join(checkout, 'tsconfig.base.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, checkout);
  return { ...options, noEmit: true, paths };
}
