import { UserError } from '../../errors/user-error';
import { type CliContext, EXIT, type ExitCode } from '../context';
import { isOwn } from '../pulumi/managed';
import { requireStack, type Stack } from '../pulumi/stack';
import type { RecoverOptions } from './options';
import { type Location, readConfig } from '../stack-settings';
import { accountOf, type StackAccount, stackAccount, withClients } from '../accounts';
import { lockOf } from '../doctor/examine-lock';
import { applyVerdicts } from './apply-verdicts';
import { describeResult, describeVerdicts, resultAsJson } from './describe-verdicts';
import { readFailedRun } from './failed-run';
import { type Interrupted, readHistory, readInterrupted } from './interrupted';
import { judgeAll } from './judge';
import { hasFailed } from './time-window';
import { awaitEnd, timeUntilEnd } from './waiting';

type Accounts = readonly (readonly [name: string, account: StackAccount])[];

/** Finds out what became of interrupted operations and, with `--yes`, settles all of them, or none if one is in doubt. */
export async function runRecover(
  options: RecoverOptions,
  where: Location,
  context: CliContext,
): Promise<ExitCode> {
  const stack = requireStack(context, where);
  const found = await (options.failedRun ? readFailedRun(stack) : readInterrupted(stack));
  if (found === undefined) {
    requireNothingDecided(options);
    return reportNothing(stack, options, context);
  }
  const accounts = await accountsOf(found, where, context);
  const settings = accounts.map(([, account]) => account.settings);
  const remaining = timeUntilEnd(found, { settings, nowMs: context.clock.epochMs() });
  const remainingMs = options.wait ? remaining.totalMs : 0;
  const endsAt = context.clock.epochMs() + remainingMs;
  if (options.yes === true && remainingMs > 0) {
    await requireUnlocked(stack);
    await awaitEnd(remaining, context);
  }
  const decisions = { take: options.take ?? [], clear: options.clear ?? [] };
  const judged = await withClients(context, accounts, (open) => judgeAll(found, open, decisions));
  if (judged.length === 0) return reportNothing(stack, options, context);
  const mayApply = options.yes === true && judged.every(({ verdict }) => verdict.kind !== 'refuse');
  if (!options.json) context.print(describeVerdicts(judged));
  const nowMs = context.clock.epochMs();
  const problem = mayApply ? await applyVerdicts(stack, judged, { interrupted: found, nowMs }) : undefined;
  const finalAt = !options.yes && remainingMs > 0 ? new Date(endsAt).toISOString() : undefined;
  const isFailedRun = options.failedRun === true;
  const outcome = { isApplied: mayApply, isFailedRun, finalAt, problem };
  context.print(options.json ? resultAsJson(judged, outcome) : describeResult(judged, outcome));
  return mayApply && problem === undefined ? EXIT.done : EXIT.attention;
}

async function reportNothing(stack: Stack, options: RecoverOptions, context: CliContext): Promise<ExitCode> {
  const nothing = options.failedRun
    ? 'Nothing was found that the failed run created but could not record.\n'
    : `Nothing was interrupted.\n${hasFailed(await readHistory(stack)) ? FAILED_RUN_HINT : ''}`;
  context.print(options.json ? resultAsJson([], { isApplied: false }) : nothing);
  return EXIT.done;
}

/** If another run holds the lock, this must be known before the wait. */
async function requireUnlocked(stack: Stack): Promise<void> {
  const lock = await lockOf(stack, await stack.name());
  if (lock !== undefined)
    throw new UserError(
      `The stack is ${lock}. Wait for that run to end; if it was killed, run "pulumi cancel". Nothing was changed.`,
    );
}

/** A decision needs an operation: if there is none, the operator has the wrong stack or rule in mind. */
function requireNothingDecided({ take = [], clear = [] }: RecoverOptions): void {
  if (take.length + clear.length === 0) return;
  const decided = [...take.map((id) => `--take ${id}`), ...clear.map((reference) => `--clear ${reference}`)];
  throw new UserError(`No pending operation matches ${decided.join(', ')}. Nothing was changed.`);
}

const FAILED_RUN_HINT =
  'The last run failed, which alone leaves nothing pending. If its plugin was killed ("error reading from server"),\n' +
  'or a message said "Outcome unknown", run this again with --failed-run.\n';

async function accountsOf(interrupted: Interrupted, where: Location, context: CliContext): Promise<Accounts> {
  const reading = await readConfig(context, where);
  const own = interrupted.operations.filter(({ resource }) => isOwn(resource));
  const names = new Set(own.map(({ resource }) => accountOf(resource)));
  const from = { deployment: interrupted.deployment, reading, context };
  return [...names].map((name) => [name, stackAccount(name, from)] as const);
}
