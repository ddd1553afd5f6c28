import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { SettingsSources } from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { endedLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { count } from '../command/text';
import { type Deployment, nameOfUrn } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import type { Stack } from '../pulumi/stack';
import { examineLock } from './examine-lock';
import { examineKeyInState } from './examine-state-key';
import { type DoctorCheck, ok, red, skipped, warning } from './doctor-check';

const STATE = 'state readable';

/** Checks the state of the stack, and returns it if it can be read: with its secrets in clear, to compare keys. */
export async function examineState(
  stack: Stack,
  sources: SettingsSources,
): Promise<{ readonly checks: DoctorCheck[]; readonly deployment?: Deployment }> {
  try {
    const name = await stack.name();
    const deployment = await stack.deployment();
    const own = deployment.resources.filter(isOwn).length;
    const checks = [
      ok('stack', name),
      ok(STATE, `${count(own, 'resource')} of this package`),
      ...(await examineLock(stack, name)),
      examinePendingOperations(deployment),
      ...examineKeyInState(deployment, sources),
      ...examineEnds(deployment),
    ];
    return { checks, deployment };
  } catch (error) {
    if (!isUserError(error)) throw error;
    if (!(error instanceof NoStackError))
      return { checks: [red(STATE, error.message, fixOf(error.message))] };
    const fix = 'select a stack (pulumi stack select NAME) and log in to its backend (pulumi login)';
    return { checks: [red('stack', error.message, fix), skipped(STATE, 'there is no stack to read')] };
  }
}

function fixOf(problem: string): string {
  if (/passphrase|decrypt/i.test(problem))
    return 'set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of this stack';
  if (/no stack named|see "pulumi stack ls"/i.test(problem)) return 'name a stack that exists, with --stack';
  return (
    'check the login (pulumi whoami --verbose) and that the backend can be reached; if the state itself is damaged, restore it ' +
    'from a backup or, if the backend keeps versions, from "pulumi stack export --version N"'
  );
}

/** Operations of other packages count, too: while one of them is in doubt, `recover` settles none. */
function examinePendingOperations({ pendingOperations: pending }: Deployment): DoctorCheck {
  const what = 'no interrupted run';
  if (pending.length === 0) return ok(what, 'nothing is pending');
  const names = pending.map(({ type, resource }) => `${type} ${nameOfUrn(resource.urn)}`).slice(0, 5);
  const detail =
    `${count(pending.length, 'operation')} of a run that was killed: ` +
    `${names.join(', ')}${pending.length > 5 ? ', …' : ''}`;
  return red(what, detail, `run "${COMMAND_LINE} recover", then again with --yes`);
}

const SHOWN_RULES = 5;

/** Rules that no `up` has sent, as their end had passed when they were declared. Those of a secret set are not shown. */
function examineEnds({ resources }: Deployment): DoctorCheck[] {
  const left = resources.filter(isOwn).flatMap(({ urn, outputs }) => {
    const rules = outputs?.['rules'];
    return endedLines(typeof rules === 'string' ? rules : '')
      .filter(({ kind }) => kind === 'left out')
      .map(({ rule: { key, action, until } }) => `${action} ${key} until ${until} (${nameOfUrn(urn)})`);
  });
  if (left.length === 0) return [];
  const shown = `${left.slice(0, SHOWN_RULES).join(', ')}${left.length > SHOWN_RULES ? ', …' : ''}`;
  const detail = `${count(left.length, 'rule')} not sent to the service: ${shown}`;
  return [
    warning(
      'ends of rules',
      detail,
      'correct the "until" in the program (a wrong year?), or remove the rule',
    ),
  ];
}
