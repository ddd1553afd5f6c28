import { isUserError } from '../../lifecycle/user-error';
import { count } from '../output/count';
import { type Deployment, isSecret, nameOfUrn, parseDeployment } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import type { Stack } from '../pulumi/stack';
import { type Finding, ok, red, skipped, warning } from './finding';

const STATE = 'state readable';

/** Reads the state of the stack, encrypted as it is. */
export async function examineState(stack: Stack): Promise<Finding[]> {
  try {
    const name = await stack.name();
    const deployment = parseDeployment(await stack.exportText());
    const own = deployment.resources.filter(isOwn).length;
    return [
      ok('stack', name),
      ok(STATE, `${count(own, 'resource')} of this package`),
      ...examinePendingOperations(deployment),
      ...examineKeyInState(deployment),
    ];
  } catch (error) {
    if (!isUserError(error)) throw error;
    const fix = 'select a stack (pulumi stack select NAME) and log in to its backend (pulumi login)';
    return [red('stack', error.message, fix), skipped(STATE, 'there is no stack to read')];
  }
}

function examinePendingOperations({ pendingOperations }: Deployment): Finding[] {
  const what = 'no interrupted run';
  const own = pendingOperations.filter(({ resource }) => isOwn(resource));
  if (own.length === 0) return [ok(what, 'nothing is pending')];
  const names = own.map(({ type, resource }) => `${type} ${nameOfUrn(resource.urn)}`).slice(0, 5);
  const detail = `${count(own.length, 'operation')} of a run that was killed: ${names.join(', ')}${own.length > 5 ? ', …' : ''}`;
  return [red(what, detail, 'run "edge-policy recover", then again with --yes')];
}

/** The engine copies the stack configuration into the default provider: in clear, if the key was set in clear. */
function examineKeyInState({ resources }: Deployment): Finding[] {
  const holders = resources.filter(({ type, inputs, outputs }) => {
    if (!type.startsWith('pulumi:providers:')) return false;
    return [inputs, outputs].some((bag) => isClear(bag?.['edge-policy:apiKey']));
  });
  if (holders.length === 0) return [];
  const names = holders.map(({ urn }) => nameOfUrn(urn)).join(', ');
  return [
    warning(
      'key in state',
      `the state holds the key in clear (provider ${names})`,
      'set the key with --secret, run "pulumi up", and issue a new key: the old state has been stored',
    ),
  ];
}

const isClear = (value: unknown): boolean => value !== undefined && value !== '' && !isSecret(value);
