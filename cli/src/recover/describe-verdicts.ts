import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { count, safeText } from '../command/text';
import { nameOfUrn } from '../pulumi/deployment';
import { shortType } from '../pulumi/managed';
import type { OperationVerdict, RecoveryVerdict } from './recovery-verdict';

const WHAT_IS_DONE: Readonly<Record<RecoveryVerdict['kind'], string>> = {
  clear: 'clear',
  take: 'bring into the stack',
  refresh: 'refresh',
  refuse: 'REFUSED',
};

/** The verdicts as text: how many there are of each, then each. */
export function describeVerdicts(decided: readonly OperationVerdict[]): string {
  const sums = [...grouped(decided, ({ verdict }) => verdict.kind)].map(
    ([kind, own]) => `${own.length} ${WHAT_IS_DONE[kind]}`,
  );
  return `${count(decided.length, 'operation')} interrupted: ${sums.join(', ')}\n${decided.map(describe).join('')}`;
}

function describe({ operation, verdict }: OperationVerdict): string {
  const { urn, type } = operation.resource;
  const objects =
    verdict.kind === 'refuse' ? verdict.candidates : verdict.kind === 'take' ? verdict.found : [];
  return (
    `  ${operation.type} ${shortType(type)} ${safeText(nameOfUrn(urn))}\n` +
    `    ${WHAT_IS_DONE[verdict.kind]}: ${verdict.why}\n` +
    objects.map((one) => `      ${safeText(one, 200)}\n`).join('')
  );
}

/** How a call of the command ended. */
export interface RecoverResult {
  readonly isApplied: boolean;
  /** What was left undone although the state was written. */
  readonly problem?: string | undefined;
}

/** What was done, or why nothing was, and what to do next. */
export function describeResult(
  decided: readonly OperationVerdict[],
  { isApplied, problem }: RecoverResult,
): string {
  if (problem !== undefined) return `\n${problem}\n`;
  if (isApplied) return '\nDone: run "pulumi preview" to see what is left to do.\n';
  const refused = decided.filter(({ verdict }) => verdict.kind === 'refuse');
  if (refused.length === 0)
    return '\nNothing was changed: run again with --yes, which waits for the end of the interrupted run and decides again.\n';
  const urns = new Set(refused.map(({ operation }) => `  --clear '${operation.resource.urn}'\n`));
  return (
    `\nNothing was changed, because ${count(refused.length, 'operation')} cannot be settled with certainty. Check what is named ` +
    `above. ` +
    `Then delete what you do not want and run the command again,\nor bring one into the stack with --take ID,\n` +
    `or forget an operation and leave the service as it is with\n${[...urns].join('')}`
  );
}

/** The verdicts and the result of the call, for scripts. */
export function resultAsJson(
  decided: readonly OperationVerdict[],
  { isApplied, problem }: RecoverResult,
): string {
  const operations = decided.map(({ operation, verdict }) => ({
    urn: operation.resource.urn,
    operation: operation.type,
    verdict: verdict.kind,
    why: verdict.why,
    ...(verdict.kind === 'take' && { id: verdict.id }),
    ...(verdict.kind === 'refuse' && { candidates: verdict.candidates }),
  }));
  return printableJson({ isApplied, ...(problem !== undefined && { problem }), operations });
}
