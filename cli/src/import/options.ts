import { type Command, Option } from 'commander';
import type { RuleForm } from '../adopt/plan-adoption';
import { idShape, parentName } from 'pulumi-edge-policy/internal/resources/module-kind';
import { allModuleKinds } from 'pulumi-edge-policy/internal/resources/modules';
import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { LiveModulePlace } from 'pulumi-edge-policy-review';
import {
  choice,
  type CommonOptions,
  each,
  identifier,
  moduleId,
  network,
  resourceName,
} from '../command/arguments';

export interface ImportOptions extends CommonOptions {
  readonly policy?: readonly string[];
  readonly all?: true;
  readonly cidr?: readonly Cidr[];
  readonly as?: RuleForm;
  readonly provider?: string;
  readonly out: string;
  readonly run?: true;
  readonly siblings: boolean;
}

export const modulesAskedFor = (options: ImportOptions): LiveModulePlace[] =>
  allModuleKinds().flatMap(({ type, importOption }) => {
    const ids = Reflect.get(options, new Option(importOption).attributeName()) as
      readonly string[] | undefined;
    return (ids ?? []).map((subject) => ({ type, subject }));
  });

export function withImportOptions(command: Command): Command {
  command
    .addOption(
      command
        .createOption('--policy <ipp_…>', 'the rules of this IP policy (repeatable)')
        .argParser(each(identifier('ipPolicy')))
        .conflicts('all'),
    )
    .option('--all', 'all rules of the account');
  for (const kind of allModuleKinds()) {
    const flags = `${kind.importOption} <${idShape(kind)}>`;
    command.option(flags, `the ${kind.name} of this ${parentName(kind)} (repeatable)`, each(moduleId(kind)));
  }
  return command
    .option('--cidr <network>', 'only rules for exactly this network (repeatable)', each(network))
    .addOption(
      choice(
        '--as <form>',
        'one resource per rule, or one set per policy (default: set for more than 20 rules)',
        ['rules', 'set'],
      ),
    )
    .option(
      '--provider <name>',
      'use the account of this Provider of the program (name or URN), and import under it',
      resourceName,
    )
    .option('--out <folder>', 'the folder for the files', 'adopted')
    .option('--run', 'import into the stack, after showing what will happen')
    .option('--no-siblings', 'do not look whether other stacks of the project manage an object');
}
