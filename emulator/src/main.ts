#!/usr/bin/env node
import { emulatorCommand } from './command';

emulatorCommand()
  .parseAsync()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
