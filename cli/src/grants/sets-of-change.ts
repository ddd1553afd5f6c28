import { readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import type { CommandContext, ExitCode } from '../command/context';
import { EXIT } from '../command/context';
import { count } from '../command/text';
import { readWholePreview } from '../judge/review-files';
import { nameOfUrn } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import type { Stack } from '../pulumi/stack';

/** The URNs of the sets in which a preview changes the rule of a network that is from a list. @throws UserError if it may hide one. */
export function setsChanging(preview: string, network: string): string[] {
  const lineIn = (inputs: Readonly<Record<string, unknown>> | undefined): string => {
    const rules = inputs?.['rules'];
    const lines = typeof rules === 'string' ? (readRuleLines(rules) ?? []) : [];
    return JSON.stringify(lines.find(({ key, list }) => key === network && list !== undefined) ?? '');
  };
  return readWholePreview(preview).steps.flatMap(({ urn, type, old, new: wanted }) =>
    isOwn({ type }) && lineIn(old?.inputs) !== lineIn(wanted?.inputs) ? [urn.text] : [],
  );
}

/** The names of sets, in words. */
export const namesOf = (urns: readonly string[]): string => urns.map(nameOfUrn).join(', ');

/** Runs the `up` of some resources only, after their preview and a confirmation. */
export async function applyTo(
  urns: readonly string[],
  {
    stack,
    isConfirmed,
    context,
  }: { readonly stack: Stack; readonly isConfirmed: boolean; readonly context: CommandContext },
): Promise<ExitCode> {
  const targets = urns.flatMap((urn) => ['--target', urn]);
  context.note(await stack.cli.stackCommand(['preview', '--diff', ...targets]));
  const question = `Apply this to ${await stack.name()}, and nothing else of the stack? [y/N] `;
  if (!isConfirmed && (await context.confirm?.(question)) !== true) {
    context.note('Nothing was applied: confirm it on a terminal, or pass --yes.\n');
    return EXIT.attention;
  }
  context.note(await stack.cli.stackCommand(['up', '--yes', '--skip-preview', ...targets]));
  context.note(`Applied to ${count(urns.length, 'set')}: ${namesOf(urns)}.\n`);
  return EXIT.done;
}
