#!/usr/bin/env node
import { inspect } from 'node:util';
import { printable } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, processContext } from './command/context';
import { runCli } from './run-cli';

let isUnwritable = false;

// The reader of the output may close it early (`| head`): the work goes on, and the exit code is still right.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isUnwritable) return;
    isUnwritable = true;
    process.exitCode = EXIT.failed;
    if (output === process.stderr) return;
    // eslint-disable-next-line no-console -- nothing of others is in it
    console.error(`The output cannot be written (${error.code ?? error.name}).`);
  });
}

runCli(process.argv.slice(2), processContext()).then(
  (exitCode) => {
    if (!isUnwritable) process.exitCode = exitCode;
  },
  (error: unknown) => {
    // eslint-disable-next-line no-console -- a defect of ours, with its stack
    console.error(printable(inspect(error)));
    process.exitCode = EXIT.failed;
  },
);
