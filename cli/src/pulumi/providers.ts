import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { isDefaultProvider } from './accounts';
import { type Deployment, nameOfUrn, type StateResource } from './deployment';

/**
 * The `Provider` of a program, by its name or URN.
 *
 * @throws UserError if the state holds none of that name, or several.
 */
export function findProvider(name: string, deployment: Deployment | undefined): StateResource {
  const providers = explicitProviders(deployment);
  const found = providers.filter(({ urn }) => urn === name || nameOfUrn(urn) === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const known = providers.map(({ urn }) => `  ${found.length > 1 ? urn : nameOfUrn(urn)}\n`).join('');
  throw new UserError(
    `${found.length > 1 ? 'Several providers of the stack are' : 'No provider of the stack is'} named ` +
      `${JSON.stringify(name)}. A Provider is in the state once a "pulumi up" has created it. The state ` +
      `holds ${known === '' ? 'none' : `these:\n${known.trimEnd()}`}\nNothing was done.`,
  );
}

/** The Providers of a stack's program, with either host. */
export const explicitProviders = (deployment: Deployment | undefined): StateResource[] =>
  (deployment?.resources ?? []).filter(
    ({ urn, type }) => /^pulumi:providers:(pulumi-nodejs|edge-policy)$/.test(type) && !isDefaultProvider(urn),
  );
