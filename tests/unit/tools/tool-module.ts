import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { deferCleanup } from '../../support/cleanup';
import { checkout } from '../../support/workspace';

export interface ToolResult {
  readonly value: unknown;
  /** What the tool has said. */
  readonly said: string;
}

/** Evaluates an expression over an ES module of tools/ (as `tool`) in a Node of its own: Jest here runs CommonJS. */
export const evaluate = (
  module: string,
  expression: string,
  env: NodeJS.ProcessEnv = {},
): Promise<ToolResult> => {
  const script = `
    const tool = await import(${JSON.stringify(path.join(checkout, 'tools', module))});
    const value = await (${expression});
    console.log(JSON.stringify({ value }));
  `;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', script],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        if (error !== null) {
          reject(new Error(stderr));
          return;
        }
        const lines = stdout.trimEnd().split('\n');
        const { value } = JSON.parse(lines.pop() ?? '') as { value: unknown };
        resolve({ value, said: lines.join('\n') });
      },
    );
  });
};

/** A throw-away folder with these files; a text that begins with `#!` becomes executable. */
export const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-tool-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  return folder;
};
