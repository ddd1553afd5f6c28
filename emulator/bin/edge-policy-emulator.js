#!/usr/bin/env node
require('../dist/command.js')
  .emulatorCommand()
  .parseAsync()
  .catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
