import { InvalidArgumentError, Option, type Command } from 'commander';
import { idProblem, type ModuleKind } from 'pulumi-edge-policy/internal/resources/module-kind';
import { allModuleKinds } from 'pulumi-edge-policy/internal/resources/modules';
import { type Cidr, parseCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { checkIdentifier, type IdentifierKind } from 'pulumi-edge-policy/internal/values/identifiers';
import path from 'node:path';

export interface CommonOptions {
  readonly cwd?: string;
  readonly stack?: string;
  readonly json?: true;
}

/** Adds the options that every command has; a command that compares stacks takes several. */
export const withCommonOptions = (
  command: Command,
  { isStackRepeatable = false }: { readonly isStackRepeatable?: boolean } = {},
): Command =>
  (isStackRepeatable
    ? command.option(
        '-s, --stack <name>',
        'a stack to compare with (repeatable; default: the selected one)',
        (name: string, before?: readonly string[]) => [...new Set([...(before ?? []), name])],
      )
    : command.option('-s, --stack <name>', 'work on this stack (default: the selected one)')
  )
    .option('-C, --cwd <folder>', 'run as if started in this folder')
    .option('--json', 'print the result as JSON');

/** Where a command runs: the folder and, if named, the stack. */
export interface Location {
  readonly cwd: string;
  readonly stack?: string | undefined;
}

export const locationOf = (options: CommonOptions, workingDirectory: string): Location => ({
  cwd: path.resolve(workingDirectory, options.cwd ?? '.'),
  stack: options.stack,
});

/** Collects the values of a repeatable option, each read and checked. */
export const each =
  <T>(read: (text: string) => T) =>
  (text: string, before: readonly T[] | undefined): readonly T[] => [...(before ?? []), read(text)];

/** Reads a text in which a check finds no problem. */
export const checked =
  (problemOf: (text: string) => string | undefined) =>
  (text: string): string => {
    const problem = problemOf(text);
    if (problem !== undefined) throw new InvalidArgumentError(problem);
    return text;
  };

export const identifier = (kind: IdentifierKind): ((text: string) => string) =>
  checked((text) => checkIdentifier(text, kind));

export const moduleId = (kind: ModuleKind): ((text: string) => string) =>
  checked((text) => idProblem(kind, text));

/** Reads the id of anything that a resource can manage: a rule or a module. */
export function liveId(text: string): string {
  return allModuleKinds().some((kind) => idProblem(kind, text) === undefined)
    ? text
    : identifier('ipPolicyRule')(text);
}

export const resourceName = checked((text) =>
  /^\P{C}+$/u.test(text) ? undefined : 'a name must not be empty or contain control characters',
);

export function network(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed.ok) throw new InvalidArgumentError(parsed.reason);
  return parsed.cidr;
}

export const choice = (flags: string, description: string, values: readonly string[]): Option =>
  new Option(flags, description).choices(values);
