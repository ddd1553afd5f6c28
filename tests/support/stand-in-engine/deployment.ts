import type {
  PendingOperation as ExportedOperation,
  StateResource,
} from '../../../cli/src/pulumi/deployment';
import { type ResourceType, typeToken } from '../../../provider/src/resources/provider-reference';
import type { Entry, Identity, PendingOperation } from './entry';

const PREFIX = 'urn:pulumi:dev::project::';

export const STACK_TYPE = 'pulumi:pulumi:Stack';
export const STACK_URN = `${PREFIX}${STACK_TYPE}::project-dev`;

/** The URN of a provider; the name of the default one is empty. */
const providerUrn = (name = ''): string =>
  `${PREFIX}pulumi:providers:pulumi-nodejs::${name === '' ? 'default' : name}`;

const urnOf = ({ type, name }: Identity): string => `${PREFIX}${typeToken(type)}::${name}`;

/** An entry of the state, or of a pending operation, as the CLI exports it. */
export const toResource = (entry: PendingOperation['entry']): StateResource => ({
  urn: urnOf(entry),
  type: typeToken(entry.type),
  parent: STACK_URN,
  provider: `${providerUrn(entry.provider)}::id`,
  inputs: entry.inputs,
  dependencies: entry.dependsOn ?? [],
  initErrors: entry.initErrors,
  ...(entry.propertyDependsOn && { propertyDependencies: entry.propertyDependsOn }),
  ...(entry.aliases && { aliases: entry.aliases.map((name) => urnOf({ ...entry, name })) }),
  ...(entry.id !== undefined && { id: entry.id }),
  ...(entry.outputs && { outputs: entry.outputs }),
  ...(entry.isDoomed === true && { delete: true }),
  ...(entry.isPendingReplacement === true && { pendingReplacement: true }),
});

export const toOperation = ({ type, entry }: PendingOperation): ExportedOperation => ({
  type,
  resource: toResource(entry),
});

/** The entry that `toResource` has exported, or that a command has put into the state. */
export const toEntry = (resource: StateResource): Entry => {
  const { provider = providerUrn() } = resource;
  const providerName = nameOf(provider.split('::').slice(0, 4).join('::'));
  const links = resource['propertyDependencies'] as Entry['propertyDependsOn'];
  return {
    type: resource.type.slice(resource.type.lastIndexOf(':') + 1) as ResourceType,
    name: nameOf(resource.urn),
    id: resource.id ?? '',
    inputs: resource.inputs ?? {},
    outputs: resource.outputs ?? {},
    initErrors: (resource['initErrors'] ?? []) as readonly string[],
    dependsOn: resource.dependencies ?? [],
    ...(links && { propertyDependsOn: links }),
    ...(providerName !== 'default' && { provider: providerName }),
    ...(resource.delete === true && { isDoomed: true }),
    ...(resource.pendingReplacement === true && { isPendingReplacement: true }),
  };
};

export const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf(':') + 1);
