import type { ClientSettings } from '../../api/client';
import { EXIT, type ExitCode } from '../exit-codes';
import { requireImportingCli } from '../pulumi/cli-version';
import { requireStack, type Stack } from '../pulumi/stack';
import type { RecoverOptions } from '../recover';
import { type Location, readConfig } from '../settings';
import type { Surroundings } from '../surroundings';
import { providerUrn, settingsOfProvider, withClients } from './accounts';
import { applyVerdicts } from './apply';
import { describeVerdicts, describeWayOut, verdictsAsJson } from './describe';
import { type Interrupted, readInterrupted } from './interrupted';
import { judgeAll } from './judge';
import type { JudgedOperation } from './verdict';

/** How long a list may lag behind an effect. */
const LIST_LAG_MS = 10_000;

type Accounts = readonly (readonly [urn: string, settings: ClientSettings])[];

/** Finds out what became of interrupted operations and, with `--yes`, settles them. */
export async function runRecover(
  options: RecoverOptions,
  where: Location,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const stack = requireStack(surroundings, where);
  await requireImportingCli(stack.cli);
  const interrupted = await readInterrupted(stack);
  if (interrupted.operations.length === 0) return reportNothing(interrupted, options, surroundings);
  const accounts = await accountsOf(interrupted, where, surroundings);
  const endsAt = latestEnd(interrupted, accounts);
  const remainingMs = options.wait ? endsAt - surroundings.clock.now() : 0;
  if (options.yes && remainingMs > 0) await wait(remainingMs, surroundings);
  const decisions = { take: options.take ?? [], clear: options.clear ?? [] };
  const judged = await withClients(surroundings, accounts, (clients) =>
    judgeAll(interrupted, clients, decisions),
  );
  if (!options.json) surroundings.print(describeVerdicts(judged));
  if (options.yes) await applyVerdicts(stack, judged);
  const isEarly = !options.yes && remainingMs > 0;
  report({ judged, stack, interrupted, earlyUntil: isEarly ? endsAt : undefined }, options, surroundings);
  const isSettled = options.yes && judged.every(({ verdict }) => verdict.kind !== 'refuse');
  return isSettled ? EXIT.done : EXIT.attention;
}

async function accountsOf(
  interrupted: Interrupted,
  where: Location,
  surroundings: Surroundings,
): Promise<Accounts> {
  const reading = await readConfig(surroundings, where);
  const urns = new Set(interrupted.operations.map(({ resource }) => providerUrn(resource.provider)));
  const from = { deployment: interrupted.deployment, reading, surroundings };
  return [...urns].map((urn) => [urn, settingsOfProvider(urn, from)] as const);
}

/**
 * When nothing of the killed run can reach the service any more. Its plugin may outlive it by the time of one operation;
 * every operation began before the state was last written.
 */
function latestEnd({ deployment }: Interrupted, accounts: Accounts): number {
  const longestMs = Math.max(...accounts.map(([, { operationTimeoutMs }]) => operationTimeoutMs));
  return Date.parse(deployment.manifest.time) + longestMs + LIST_LAG_MS;
}

async function wait(ms: number, { clock, note }: Surroundings): Promise<void> {
  const until = new Date(clock.now() + ms).toISOString();
  note(
    `Waiting until ${until}: what is left of the interrupted run may still be working (--no-wait if it is gone).\n`,
  );
  await clock.sleep(ms);
}

function reportNothing(
  { foreignCount }: Interrupted,
  options: RecoverOptions,
  surroundings: Surroundings,
): ExitCode {
  const foreign = foreignCount === 0 ? '' : ` ${foreignText(foreignCount)}`;
  surroundings.print(
    options.json ? asJson({ operations: [], foreignCount }) : `Nothing was interrupted.${foreign}\n`,
  );
  return EXIT.done;
}

interface Outcome {
  readonly judged: readonly JudgedOperation[];
  readonly stack: Stack;
  readonly interrupted: Interrupted;
  /** When verdicts are final, where they are not yet. */
  readonly earlyUntil: number | undefined;
}

function report(outcome: Outcome, options: RecoverOptions, surroundings: Surroundings): void {
  const { judged, interrupted, earlyUntil } = outcome;
  const until = earlyUntil === undefined ? undefined : new Date(earlyUntil).toISOString();
  if (options.json) {
    const verdicts = verdictsAsJson(judged);
    const isApplied = options.yes === true;
    const { foreignCount } = interrupted;
    surroundings.print(asJson({ isApplied, finalAt: until ?? null, foreignCount, operations: verdicts }));
    return;
  }
  const foreign = interrupted.foreignCount === 0 ? '' : `${foreignText(interrupted.foreignCount)}\n`;
  const early = until === undefined ? '' : `The interrupted run may still be working until ${until}.\n`;
  const next = options.yes
    ? 'Done: run "pulumi preview" to see what is left.\n'
    : 'Nothing was changed: run again with --yes.\n';
  surroundings.print(`${describeWayOut(judged)}\n${foreign}${early}${next}`);
}

const foreignText = (foreignCount: number): string =>
  `${foreignCount} interrupted operations of other packages are left as they are.`;

const asJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
