import type { CommonOptions, Location } from '../command/arguments';
import { COMMAND_LINE, OUTCOME_UNKNOWN } from 'pulumi-edge-policy/internal/errors/words';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { isOwn, shortType, nameOfUrn } from '../pulumi/deployment';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { readConfig, requireStack, type Stack } from '../pulumi/stack';
import { lockOf } from '../pulumi/local-backend';
import { accountsOf, withClients } from '../pulumi/accounts';
import { applyVerdicts } from './apply-verdicts';
import { readInterrupted } from './interrupted-operations';
import { findVerdicts } from './verdicts';
import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { STOPS_WITHIN_MS } from 'pulumi-edge-policy/internal/hosts/engine-watch';
import { LIST_LAG_MS } from 'pulumi-edge-policy/internal/presence/service-times';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import { count, safeText } from '../command/text';
import type { OperationVerdict, RecoveryVerdict } from './recovery-verdict';

export interface RecoverOptions extends CommonOptions {
  readonly yes?: true;
  readonly wait: boolean;
  readonly take?: readonly string[];
  readonly clear?: readonly string[];
}

/** Finds out what became of interrupted operations and, with `--yes`, settles all of them, or none if one is in doubt. */
export async function runRecover(
  options: RecoverOptions,
  where: Location,
  context: CliContext,
): Promise<ExitCode> {
  const stack = requireStack(context, where);
  const interrupted = await readInterrupted(stack);
  const resources = interrupted.operations.map(({ resource }) => resource).filter(isOwn);
  const reading = await readConfig(context, where);
  const accounts = accountsOf(resources, { deployment: interrupted.deployment, reading, context });
  if (options.yes) await requireUnlocked(stack);
  if (options.yes && options.wait && accounts.length > 0)
    await awaitEnd(
      accounts.map(([, { settings }]) => settings),
      context,
    );
  const { take = [], clear = [], json } = options;
  const decided = await withClients(context, accounts, (open) =>
    findVerdicts(interrupted, open, { take, clear }),
  );
  if (decided.length === 0) {
    context.print(json ? resultAsJson([], { isApplied: false }) : NOTHING_INTERRUPTED);
    return EXIT.done;
  }
  const mayApply = options.yes === true && decided.every(({ verdict }) => verdict.kind !== 'refuse');
  if (!json) context.print(describeVerdicts(decided));
  const nowMs = context.clock.epochMs();
  const problem = mayApply
    ? await applyVerdicts(stack, decided, { interrupted: interrupted, nowMs })
    : undefined;
  const outcome = { isApplied: mayApply, problem };
  context.print(json ? resultAsJson(decided, outcome) : describeResult(decided, outcome));
  return mayApply && problem === undefined ? EXIT.done : EXIT.attention;
}

/** A killed CLI leaves its lock behind, and no state can be written until that is gone. */
async function requireUnlocked(stack: Stack): Promise<void> {
  const lock = await lockOf(stack, await stack.name());
  if (lock === undefined || lock === '') return;
  throw new UserError(
    `The stack is ${lock}. If that run is over, run "pulumi cancel --yes" and then this command again. Nothing was done.`,
  );
}

const NOTHING_INTERRUPTED =
  'Nothing was interrupted. If only the plugin of a run was killed ("error reading from server"), or a message said\n' +
  `"${OUTCOME_UNKNOWN}", see what it left behind: "${COMMAND_LINE} list --unmanaged".\n`;

/**
 * Waits until a killed run can no longer change anything. Its plugin stops sending once the CLI is gone, what it has sent takes effect
 * within the time that it would have waited for an answer, and then a list may lag behind.
 */
export async function awaitEnd(
  settings: readonly ClientSettings[],
  { clock, note }: Pick<CliContext, 'clock' | 'note'>,
): Promise<void> {
  const lateMs = Math.max(...settings.map(({ requestTimeoutMs }) => requestTimeoutMs));
  const totalMs = STOPS_WITHIN_MS + lateMs + LIST_LAG_MS;
  const [total, plugin, request, list] = [totalMs, STOPS_WITHIN_MS, lateMs, LIST_LAG_MS].map(
    (ms) => `${Math.ceil(ms / 1_000)} s`,
  );
  note(
    `Waiting ${total}, until the interrupted run can no longer change anything: ${plugin} for its plugin, which stops sending,\n` +
      `${request} for the effect of a request on its way, ${list} for a list of rules that lags behind. If it was killed longer ago than\n` +
      'that, press Ctrl-C (nothing has been changed yet) and run this again with --no-wait.\n',
  );
  await clock.sleep(totalMs);
}

const WHAT_IS_DONE: Readonly<Record<RecoveryVerdict['kind'], string>> = {
  clear: 'clear',
  take: 'bring into the stack',
  refresh: 'refresh',
  refuse: 'REFUSED',
};

function describeVerdicts(decided: readonly OperationVerdict[]): string {
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

interface RecoverResult {
  readonly isApplied: boolean;
  /** What was left undone although the state was written. */
  readonly problem?: string | undefined;
}

function describeResult(decided: readonly OperationVerdict[], { isApplied, problem }: RecoverResult): string {
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

function resultAsJson(decided: readonly OperationVerdict[], { isApplied, problem }: RecoverResult): string {
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
