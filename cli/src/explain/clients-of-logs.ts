import {
  type DatedAnswer,
  explainClients,
  type Explainer,
  isAllDecided,
  renderClients,
  renderClientsAsJson,
  type Subject,
} from 'pulumi-edge-policy-review';
import { type CommonOptions, locationOf } from '../command/arguments';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { readLogs } from '../traffic/read-traffic';
import type { TrafficOptions } from '../traffic/traffic-options';

/** The subjects that are asked about, on each side. */
export interface AskedSubjects {
  readonly asked: readonly Subject[];
  readonly sides: readonly { readonly when: DatedAnswer['when']; readonly explainer: Explainer }[];
}

/** Says how many clients of the logs get in by each subject, and which do not. */
export async function answerForLogs(
  { sides, asked }: AskedSubjects,
  options: CommonOptions & TrafficOptions,
  context: CliContext,
): Promise<ExitCode> {
  const { cwd } = locationOf(options, context.workingDirectory);
  const logs = await readLogs({ ...options, cwd });
  const explained = asked.flatMap((subject) =>
    sides.flatMap((side) => explainClients(side, subject, logs) ?? []),
  );
  if (explained.length === 0) context.note('None of the logs concerns anything declared here.\n');
  context.print(options.json ? renderClientsAsJson(explained) : renderClients(explained));
  return explained.length > 0 && explained.every(isAllDecided) ? EXIT.done : EXIT.notDecidable;
}
