import type { Command } from 'commander';
import { type CommonOptions, each, liveId } from '../arguments';

/** The options of `recover`. */
export interface RecoverOptions extends CommonOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly failedRun?: true;
  readonly wait: boolean;
  readonly take?: readonly string[];
  readonly clear?: readonly string[];
}

/** Adds the options of the command. */
export const withRecoverOptions = (command: Command): Command =>
  command
    .option('--dry-run', 'only show what would be done (the default)')
    .addOption(command.createOption('-y, --yes', 'do it').conflicts('dryRun'))
    .option(
      '--failed-run',
      'look for what the last run created but could not record, because its plugin was killed; --take brings it in',
    )
    .option(
      '--take <id>',
      'take over this rule or module, although no record proves that this stack created it (repeatable)',
      each(liveId),
    )
    .option(
      '--clear <urn>',
      'forget this operation, and leave the service as it is (repeatable; URN#2 for the second under one URN)',
      each(String),
    )
    .option('--no-wait', 'do not wait until the interrupted run can no longer change anything');
