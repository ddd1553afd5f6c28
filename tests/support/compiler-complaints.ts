import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { deferCleanup } from './cleanup';
import { checkout } from './workspace';

/** The compiler's errors in users' programs, by file name. */
export const compilerComplaints = (programs: ReadonlyMap<string, string>): Record<string, string[]> => {
  const folder = newFolder();
  const files = Array.from(programs, ([name, text]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  const program = ts.createProgram(files, compilerOptions());
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

/** The place where programs find the SDK, as in a project of their own. */
function newFolder(): string {
  const cache = path.join(checkout, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'programs-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function compilerOptions(): ts.CompilerOptions {
  const config = ts.readConfigFile(path.join(checkout, 'tsconfig.base.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, checkout);
  const source = (name: string): string[] => [path.join(checkout, name, 'src', 'index.ts')];
  const paths = { 'pulumi-edge-policy': source('provider'), 'edge-policy-emulator': source('emulator') };
  return { ...options, noEmit: true, noUnusedLocals: false, paths };
}
