#!/usr/bin/env node
import { inspect } from 'node:util';
import { printable } from '../values/printable';
import { EXIT } from './exit-codes';
import { runCli } from './run';
import { processSurroundings } from './surroundings';

runCli(process.argv.slice(2), processSurroundings()).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    // eslint-disable-next-line no-console -- a defect of ours, with its stack
    console.error(printable(inspect(error)));
    process.exitCode = EXIT.failed;
  },
);
