#!/usr/bin/env node
import { EXIT } from './exit-codes';
import { runCli } from './run';
import { processSurroundings } from './surroundings';

runCli(process.argv.slice(2), processSurroundings()).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = EXIT.failed;
  },
);
