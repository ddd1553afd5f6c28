import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../../emulator/src/index';
import { parseDeployment } from '../../../cli/src/pulumi/deployment';
import { managedIds } from '../../../cli/src/pulumi/managed';
import type { CommandLine } from '../command-line';
import type { Dice } from '../dice';
import type { Program } from '../random-program/program';
import type { Declared, StandInCli } from '../stand-in-cli';

/** One account, one stack, and their history. */
export interface World {
  readonly dice: Dice;
  readonly emulator: Emulator;
  readonly cli: StandInCli;
  readonly line: CommandLine;
  /** The secret text of a program. */
  readonly secret: string;
  /** Writes the program to where the commands read it. */
  readonly saveProgram: () => void;
  /** Lets time pass until every list is up to date. */
  readonly waitForLists: () => void;
  /** Whether `recover` waits for the end of a killed run; otherwise the processes of the run are gone. */
  readonly recoverWaits: boolean;
  /** The history, for the message of a failure. */
  readonly story: string[];
  /** The program that people edit, without the modules of imports. */
  parts: Program;
  nextNetwork: number;
  /** The declarations of that program. */
  own?: readonly Declared[];
}

/** A network that no program declares. */
export const newNetwork = (world: World): string => `100.${(world.nextNetwork += 1)}.0.0/16`;

/** The live rules that the stack manages, each with the URN of its resource. */
export const managedOf = ({ cli }: World): Map<string, string> =>
  managedIds(parseDeployment(JSON.stringify({ deployment: { resources: cli.resources } })));

/** The names of the files of imports, with their texts. */
export const adoptedFiles = ({ line }: World): [name: string, text: string][] => {
  const folder = path.join(line.folder, 'adopted');
  return namesIn(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
};

/** Everything that a command may change. */
export const snapshot = (world: World): object => {
  const { cli, emulator } = world;
  const resources = cli.resources.map((entry) => ({ ...entry, modified: undefined, created: undefined }));
  return { resources, pending: cli.pending, service: emulator.state(), files: adoptedFiles(world) };
};
