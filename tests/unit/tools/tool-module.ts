import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout } from '../../support/workspace';

/** Evaluates an expression over an ES module of tools/ (as `tool`) in a Node of its own, as Jest here runs CommonJS, with what the tool has said. */
export async function evaluate(
  module: string,
  expression: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ readonly value: unknown; readonly said: string }> {
  const script = `
    const tool = await import(${JSON.stringify(path.join(checkout, 'tools', module))});
    const value = await (${expression});
    console.log(JSON.stringify({ value }));
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, ...env },
  });
  const lines = stdout.trimEnd().split('\n');
  const { value } = JSON.parse(lines.pop() ?? '') as { value: unknown };
  return { value, said: lines.join('\n') };
}
