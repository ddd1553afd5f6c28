import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import type { SettingsSources } from 'pulumi-edge-policy/internal/settings/settings';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { count } from '../command/text';
import { type Deployment, nameOfUrn, parseDeployment } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { NoStackError } from '../pulumi/pulumi-cli';
import type { Stack } from '../pulumi/stack';
import { endedLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { examineLock } from './examine-lock';
import { examineKeyInState } from './examine-state-key';
import { type DoctorCheck, ok, red, skipped, warning } from './doctor-check';

const STATE = 'state readable';

/** Checks the state of the stack. Its secrets are only decrypted to compare the key. */
export async function examineState(stack: Stack, sources: SettingsSources): Promise<DoctorCheck[]> {
  try {
    const name = await stack.name();
    const deployment = parseDeployment(await stack.exportText());
    const own = deployment.resources.filter(isOwn).length;
    return [
      ok('stack', name),
      ok(STATE, `${count(own, 'resource')} of this package`),
      ...(await examineLock(stack, name)),
      ...examinePendingOperations(deployment),
      ...examineEnds(deployment),
      ...(await examineKeyInState(stack, sources)),
    ];
  } catch (error) {
    if (!isUserError(error)) throw error;
    if (error instanceof NoStackError) {
      const fix = 'select a stack (pulumi stack select NAME) and log in to its backend (pulumi login)';
      return [red('stack', error.message, fix), skipped(STATE, 'there is no stack to read')];
    }
    return [red(STATE, error.message, fixOf(error.message))];
  }
}

function fixOf(problem: string): string {
  if (/passphrase|decrypt/i.test(problem))
    return 'set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE to the passphrase of this stack';
  if (/no stack named|see "pulumi stack ls"/i.test(problem)) return 'name a stack that exists, with --stack';
  return (
    'check the login (pulumi whoami --verbose) and that the backend can be reached; if the state itself is damaged, restore it ' +
    'from a backup of the backend or, if it keeps versions, from "pulumi stack export --version N"'
  );
}

const SHOWN_RULES = 5;

/** Rules that no `up` has ever sent, as their end had passed when they were declared. Those of a secret set cannot be read. */
function examineEnds({ resources }: Deployment): DoctorCheck[] {
  const names = resources.filter(isOwn).flatMap(({ urn, outputs }) => {
    const { rules } = outputs ?? {};
    const left = endedLines(typeof rules === 'string' ? rules : '').filter(({ kind }) => kind === 'left out');
    return left.map(
      ({ rule: { key, action = 'rule', until = '' } }) =>
        `${action} ${key} until ${until} (${nameOfUrn(urn)})`,
    );
  });
  if (names.length === 0) return [];
  const shown = `${names.slice(0, SHOWN_RULES).join(', ')}${names.length > SHOWN_RULES ? ', …' : ''}`;
  const detail = `${count(names.length, 'rule')} never sent, as the end had passed already: ${shown}`;
  return [
    warning('ends of rules', detail, 'correct the until in the program (a wrong year?), or remove the rule'),
  ];
}

/** Operations of other packages count, too: while one of them is in doubt, `recover` settles none. */
function examinePendingOperations({ pendingOperations: pending }: Deployment): DoctorCheck[] {
  const what = 'no interrupted run';
  if (pending.length === 0) return [ok(what, 'nothing is pending')];
  const names = pending.map(({ type, resource }) => `${type} ${nameOfUrn(resource.urn)}`).slice(0, 5);
  const detail = `${count(pending.length, 'operation')} of a run that was killed: ${names.join(', ')}${pending.length > 5 ? ', …' : ''}`;
  return [red(what, detail, `run "${COMMAND_LINE} recover", then again with --yes`)];
}
