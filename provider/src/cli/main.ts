#!/usr/bin/env node
import { inspect } from 'node:util';
import { printable } from '../values/printable';
import { EXIT, processContext } from './context';
import { runCli } from './run';

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
