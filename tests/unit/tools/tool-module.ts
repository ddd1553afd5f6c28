import { execFile } from 'node:child_process';
import path from 'node:path';
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
