import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { neverSent } from 'pulumi-edge-policy/internal/rule-set/rule-ends';
import { endedLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { type SettingsSources, findSetting } from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { firstOf } from 'pulumi-edge-policy/internal/values/failure';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { isProviderType } from 'pulumi-edge-policy-review';
import { count } from '../command/text';
import {
  type Deployment,
  nameOfUrn,
  type StateResource,
  isSecret,
  isManaged,
  isOwn,
  liveIdsOf,
} from '../pulumi/deployment';
import { NoStackError } from '../pulumi/pulumi-cli';
import type { Stack } from '../pulumi/stack';
import { lockOf } from '../pulumi/local-backend';
import { type DoctorCheck, ok, red, LET_THE_CLI_READ, skipped, warning } from './doctor-check';
import { isDefaultProvider, storedSetting, storedText } from '../pulumi/accounts';

const STATE = 'state readable';

const SHOWN = 5;

/** Checks the state of the stack, and returns it if it can be read: with its secrets in clear, to compare keys. */
export async function examineState(
  stack: Stack,
  sources: SettingsSources,
): Promise<{ readonly checks: DoctorCheck[]; readonly deployment?: Deployment }> {
  try {
    const name = await stack.name();
    const deployment = await stack.deployment();
    const size = deployment.resources.filter(isOwn).length;
    const checks = [
      ok('stack', name),
      ok(STATE, `${count(size, 'resource')} of this package`),
      ...examineLock(await lockOf(stack, name)),
      examinePendingOperations(deployment),
      ...examineKeyInState(deployment, sources),
      ...deployment.resources.filter(isManaged).flatMap(examineLeftOut),
    ];
    return { checks, deployment };
  } catch (error) {
    if (!isUserError(error)) throw error;
    if (!(error instanceof NoStackError)) return { checks: [red(STATE, error.message, LET_THE_CLI_READ)] };
    const fix = 'select a stack (pulumi stack select NAME) and log in to its backend (pulumi login)';
    return { checks: [red('stack', error.message, fix), skipped(STATE, 'there is no stack to read')] };
  }
}

function examineLock(lock: string | undefined): DoctorCheck[] {
  if (lock === undefined) return [];
  const what = 'stack unlocked';
  const fix = `wait for that run to end; if it was killed, run "pulumi cancel", then "${COMMAND_LINE} recover"`;
  return [lock === '' ? ok(what, 'no run is under way') : red(what, lock, fix)];
}

/** Operations of other packages count, too: while one of them is in doubt, `recover` settles none. */
function examinePendingOperations({ pendingOperations: pending }: Deployment): DoctorCheck {
  const what = 'no interrupted run';
  if (pending.length === 0) return ok(what, 'nothing is pending');
  const names = pending.map(({ type, resource }) => `${type} ${nameOfUrn(resource.urn)}`);
  const detail = `${count(pending.length, 'operation')} of a run that was killed: ${firstOf(names, SHOWN)}`;
  return red(what, detail, `run "${COMMAND_LINE} recover", then again with --yes`);
}

/** Rules that had ended when they were declared: the program shows them, and the service never had them. */
function examineLeftOut({ urn, inputs: { rules } = {} }: StateResource): DoctorCheck[] {
  const lines = typeof rules === 'string' ? endedLines(rules).filter(({ kind }) => kind === 'left out') : [];
  if (lines.length === 0) return [];
  const detail = neverSent(lines.map(({ rule }) => rule));
  return [
    warning(`rules of ${nameOfUrn(urn)}`, detail, 'correct the until in the program, or remove the rule'),
  ];
}

const MANAGED_ONCE = 'every object managed once';

/** Checks across these stacks, whatever their providers and accounts, that each live object has only one resource. */
export async function examineSharedObjects(stacks: readonly Stack[]): Promise<DoctorCheck> {
  const claims: { readonly id: string; readonly by: string }[] = [];
  try {
    for (const stack of stacks) {
      const [name, { resources }] = [await stack.name(), await stack.deployment()];
      for (const resource of resources.filter(isManaged))
        for (const id of liveIdsOf(resource)) claims.push({ id, by: `${nameOfUrn(resource.urn)} (${name})` });
    }
  } catch (error) {
    if (!isUserError(error)) throw error;
    return warning(
      MANAGED_ONCE,
      `a state cannot be read: ${error.message}`,
      'name existing stacks with --stack',
    );
  }
  const holders = grouped(claims, ({ id }) => id);
  const shared = [...holders].filter(([, resources]) => resources.length > 1);
  if (shared.length === 0) {
    const scope = stacks.length === 1 ? 'in this stack' : `in ${stacks.length} stacks`;
    return ok(MANAGED_ONCE, `${count(holders.size, 'live object')} ${scope}, none managed twice`);
  }
  const named = shared.map(([id, resources]) => `${id} by ${resources.map(({ by }) => by).join(' and ')}`);
  return red(
    MANAGED_ONCE,
    `deleting one resource would delete what the other manages: ${firstOf(named, SHOWN)}`,
    'keep one resource for each; remove the other from the state with "pulumi state delete URN --stack NAME", and from its program',
  );
}

const KEY_IN_STATE = 'key in state';
const KEY = 'edge-policy:apiKey';

/** Compares the key that an `up` would use with the one in state, which a refresh and a destroy use. Nothing of either key is shown. */
function examineKeyInState({ resources }: Deployment, sources: SettingsSources): DoctorCheck[] {
  // An explicit provider gets its key from the program, which is not run here.
  const providers = resources.filter(({ type, urn }) => isProviderType(type) && isDefaultProvider(urn));
  const keyOfUp = findSetting('apiKey', sources)?.text;
  const isOutdated = providers.some((provider) => keyOfRefresh(provider, sources) !== keyOfUp);
  const hasKey = providers.some((provider) => keyIn(provider) !== undefined);
  const current = hasKey ? 'the key that is set now' : 'none';
  return [isOutdated ? outdated(hasKey) : ok(KEY_IN_STATE, current), ...inClear(resources)];
}

const outdated = (hasKey: boolean): DoctorCheck =>
  red(
    KEY_IN_STATE,
    `${hasKey ? 'a different key from the one set now' : 'none, though one is set now'}; a refresh and a destroy use the one in the state`,
    'run "pulumi up" or "pulumi refresh --run-program", and revoke the old key only after that',
  );

const keyOfRefresh = (provider: StateResource, { environment }: SettingsSources): string | undefined =>
  findSetting('apiKey', { config: () => keyIn(provider), environment })?.text;

function keyIn({ inputs }: StateResource): string | undefined {
  const key = storedText(inputs, KEY);
  return key === '' ? undefined : key;
}

/** The engine copies the stack configuration into the default provider: in clear if the key was set in clear. */
function inClear(resources: readonly StateResource[]): DoctorCheck[] {
  const holders = resources
    .filter(({ type }) => isProviderType(type))
    .filter(({ inputs, outputs }) => [inputs, outputs].some((bag) => isClear(storedSetting(bag, KEY))));
  if (holders.length === 0) return [];
  const names = holders.map(({ urn }) => nameOfUrn(urn)).join(', ');
  return [
    warning(
      'key in state encrypted',
      `the state holds the key in clear text (provider ${names})`,
      'issue a new key and set EDGE_POLICY_API_KEY to it, remove the old one from the configuration or the program, run "pulumi up", then revoke it: earlier versions of the state still hold it',
    ),
  ];
}

const isClear = (value: unknown): boolean => value !== undefined && value !== '' && !isSecret(value);
