import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { requireStack } from './stack';

const REVIEWABLE = ['preview', '--json', '--show-sames', '--show-replacement-steps'];

/** The JSON of a preview with all that a review needs. One that failed prints what it knows and why it failed, which the review reports. */
export async function reviewablePreview(where: Location, context: CliContext): Promise<string> {
  const { stdout, stderr } = await requireStack(context, where).cli.runOnStack(REVIEWABLE);
  if (stderr !== '') context.note(stderr);
  return stdout;
}
