#!/usr/bin/env node
import { inspect } from 'node:util';
import { printable } from 'pulumi-edge-policy/internal/values/printable';
import { EXIT, processContext } from './command/context';
import { runCli } from './run-cli';

// The reader of the output may close it early (`| head`): the work goes on, and the exit code is still right.
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

runCli(process.argv.slice(2), processContext()).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    // eslint-disable-next-line no-console -- a defect of ours, with its stack
    console.error(printable(inspect(error)));
    process.exitCode = EXIT.failed;
  },
);
