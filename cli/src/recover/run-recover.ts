import type { CommonOptions, Location } from '../command/arguments';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { type CliContext, EXIT, type ExitCode } from '../command/context';
import { isOwn } from '../pulumi/managed';
import { readConfig, requireStack, type Stack } from '../pulumi/stack';
import { accountsOf, withClients } from '../pulumi/accounts';
import { lockOf } from '../pulumi/stack-lock';
import { applyVerdicts } from './apply-verdicts';
import { describeResult, describeVerdicts, resultAsJson } from './describe-verdicts';
import { readFailedRun, readHistory, readInterrupted } from './interrupted-operations';
import { judgeAll } from './judge';
import type { ClientSettings } from 'pulumi-edge-policy/internal/api/client';
import { STOPS_WITHIN_MS } from 'pulumi-edge-policy/internal/hosts/engine-watch';
import { LIST_LAG_MS } from 'pulumi-edge-policy/internal/run/service-times';

/** The options of `recover`. */
export interface RecoverOptions extends CommonOptions {
  readonly yes?: true;
  readonly failedRun?: true;
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
  const found = await (options.failedRun ? readFailedRun(stack) : readInterrupted(stack));
  const own = found.operations.map(({ resource }) => resource).filter(isOwn);
  const reading = await readConfig(context, where);
  const accounts = accountsOf(own, { deployment: found.deployment, reading, context });
  if (options.yes && options.wait && accounts.length > 0) {
    await requireUnlocked(stack);
    await awaitEnd(
      accounts.map(([, { settings }]) => settings),
      context,
    );
  }
  const { take = [], clear = [], json, failedRun: isFailedRun } = options;
  const judged = await withClients(context, accounts, (open) => judgeAll(found, open, { take, clear }));
  if (judged.length === 0) {
    context.print(json ? resultAsJson([], { isApplied: false }) : await nothing(stack, options));
    return EXIT.done;
  }
  const mayApply = options.yes === true && judged.every(({ verdict }) => verdict.kind !== 'refuse');
  if (!json) context.print(describeVerdicts(judged));
  const nowMs = context.clock.epochMs();
  const problem = mayApply ? await applyVerdicts(stack, judged, { interrupted: found, nowMs }) : undefined;
  const outcome = { isApplied: mayApply, isFailedRun, problem };
  context.print(json ? resultAsJson(judged, outcome) : describeResult(judged, outcome));
  return mayApply && problem === undefined ? EXIT.done : EXIT.attention;
}

async function nothing(stack: Stack, { failedRun }: RecoverOptions): Promise<string> {
  if (failedRun) return 'Nothing was found that the failed run created but could not record.\n';
  const hasFailed = (await readHistory(stack))[0]?.result === 'failed';
  return `Nothing was interrupted.\n${hasFailed ? FAILED_RUN_HINT : ''}`;
}

/** If another run holds the lock, this must be known before the wait. */
async function requireUnlocked(stack: Stack): Promise<void> {
  const lock = await lockOf(stack, await stack.name());
  if (lock)
    throw new UserError(
      `The stack is ${lock}. Wait for that run to end; if it was killed, run "pulumi cancel". Nothing was changed.`,
    );
}

const FAILED_RUN_HINT =
  'The last run failed, which alone leaves nothing pending. If its plugin was killed ("error reading from server"),\n' +
  'or a message said "Outcome unknown", run this again with --failed-run.\n';

const NOTE_EVERY_MS = 10_000;

/**
 * Waits until a killed run can no longer change anything, and says how to be sure sooner. The CLI is gone, or the operator would
 * not be here. Its plugin stops by itself, requests that it has sent take effect within the time that it would have waited for
 * an answer, and then a list may lag behind.
 */
export async function awaitEnd(
  settings: readonly ClientSettings[],
  { clock, note }: Pick<CliContext, 'clock' | 'note'>,
): Promise<void> {
  const lateMs = Math.max(...settings.map(({ requestTimeoutMs }) => requestTimeoutMs));
  const totalMs = STOPS_WITHIN_MS + lateMs + LIST_LAG_MS;
  note(
    `Waiting ${seconds(totalMs)}, until the interrupted run can no longer change anything:\n` +
      `  up to ${seconds(STOPS_WITHIN_MS)}: a plugin whose CLI is gone stops by itself\n` +
      `  up to ${seconds(lateMs)}: what it has sent may still take effect (edge-policy:requestTimeoutSeconds)\n` +
      `  up to ${seconds(LIST_LAG_MS)}: a list of rules may lag behind\n` +
      'To continue sooner: if it was killed longer ago than that, and none of its processes is listed by\n' +
      '"pgrep -af \'dynamic-provider|pulumi-resource-edge-policy\'", press Ctrl-C (nothing has been changed yet) and run this again\n' +
      'with --no-wait.\n',
  );
  const endsAt = clock.monotonicMs() + totalMs;
  for (let leftMs = totalMs; leftMs > 0; leftMs = endsAt - clock.monotonicMs()) {
    note(`  ${seconds(leftMs)} left\n`);
    await clock.sleep(Math.min(leftMs, NOTE_EVERY_MS));
  }
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1_000)} s`;
