import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { liveKey, typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { ruleFields } from 'pulumi-edge-policy/internal/rule/rule';
import { parseIdList } from 'pulumi-edge-policy/internal/rule-set/rules-text';

/** A resource in an exported state, reduced to what the commands use. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Outputs that an option of the resource makes secret. */
  readonly additionalSecretOutputs?: readonly string[];
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  /** The URNs that the resource may have had before; the engine notes them while an operation on it is pending. */
  readonly aliases?: readonly string[];
  /** Set while the resource waits for its deletion. */
  readonly delete?: boolean;
  /** Set if a replacement has already deleted the resource and not yet created the new one. */
  readonly pendingReplacement?: boolean;
  /** Read by `get`, not managed. */
  readonly external?: boolean;
  readonly created?: string;
  readonly [other: string]: unknown;
}

export interface PendingOperation {
  readonly type: string;
  readonly resource: StateResource;
}

/** The state of a stack, as `pulumi stack export` prints it. */
export interface Deployment {
  readonly manifest: { readonly time: string };
  readonly resources: readonly StateResource[];
  readonly pendingOperations: readonly PendingOperation[];
}

interface ExportedState {
  readonly deployment?: {
    readonly manifest?: { readonly time?: string };
    readonly resources?: readonly StateResource[] | null;
    readonly pending_operations?: readonly PendingOperation[] | null;
  } | null;
}

/** Reads an exported state; one that was never deployed is empty. */
export function parseDeployment(text: string): Deployment {
  const { deployment } = parseJson(text) as ExportedState;
  return {
    manifest: { time: deployment?.manifest?.time ?? '' },
    resources: deployment?.resources ?? [],
    pendingOperations: deployment?.pending_operations ?? [],
  };
}

/** Reads an exported state, or a checkpoint that a local backend keeps. @throws UserError if the text is neither. */
export function parseRecorded(text: string, file: string): Deployment {
  try {
    const { checkpoint, deployment } = JSON.parse(text) as ExportedState & {
      readonly checkpoint?: { readonly latest?: ExportedState['deployment'] };
    };
    const latest = checkpoint?.latest ?? deployment;
    if (latest) return parseDeployment(JSON.stringify({ deployment: latest }));
  } catch {
    // Reported below.
  }
  throw new UserError(
    `${file} is no state: give what "pulumi stack export" wrote, or a checkpoint from the history of a local backend.`,
  );
}

/** An exported state with other resources and pending operations; everything else stays as exported. */
export function editDeployment(
  text: string,
  edit: Pick<Deployment, 'resources' | 'pendingOperations'>,
): string {
  const exported = parseJson(text) as { readonly deployment?: object };
  return JSON.stringify({
    ...exported,
    deployment: {
      ...exported.deployment,
      resources: edit.resources,
      pending_operations: edit.pendingOperations,
    },
  });
}

function parseJson(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    throw new UserError('"pulumi stack export" did not print a state.');
  }
}

const secretMark = { key: '4dabf18193072939515e22adb298388d', value: '1b47061264138c4ac30d75fd1eb44270' };

/** Whether a value of a state is a secret: encrypted, or in clear if it was exported so. */
export const isSecret = (value: unknown): value is { readonly plaintext?: string } =>
  typeof value === 'object' && value !== null && Reflect.get(value, secretMark.key) === secretMark.value;

/** Whether a value is a secret, or holds one, however deep. */
export const holdsSecret = (value: unknown): boolean =>
  isSecret(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsSecret));

/** Whether a resource keeps a property secret, or a part of it: in its inputs, its outputs, or by an option. */
export const keepsSecret = (
  { inputs, outputs, additionalSecretOutputs = [] }: StateResource,
  name: string,
): boolean => additionalSecretOutputs.includes(name) || [inputs?.[name], outputs?.[name]].some(holdsSecret);

/** What a preview shows in the place of a secret. */
export const SHOWN_SECRET = '[secret]';

/** A value of a state with something else in the place of each secret, however deep. */
function withSecretsAs(value: unknown, made: (plaintext: string | undefined) => unknown): unknown {
  if (isSecret(value)) return made(value.plaintext);
  if (Array.isArray(value)) return value.map((member) => withSecretsAs(member, made));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withSecretsAs(member, made)]),
  );
}

export const withSecretsHidden = (value: unknown): unknown => withSecretsAs(value, () => SHOWN_SECRET);

/** A secret value for the CLI, which encrypts it: never written to a file that stays. */
export const secretInClear = (value: unknown): object => ({
  [secretMark.key]: secretMark.value,
  plaintext: JSON.stringify(value),
});

/** A value of a state that was exported with its secrets, without the secret envelopes. */
export const withoutEnvelopes = (value: unknown): unknown =>
  withSecretsAs(value, (plaintext) => (plaintext === undefined ? undefined : JSON.parse(plaintext)));

export const nameOfUrn = (urn: string): string => urn.split('::').slice(3).join('::');

export const isOwn = ({ type }: Pick<StateResource, 'type'>): boolean => typeOfToken(type) !== undefined;

/** The type of one of our resources, without the part that all of them share. */
export const shortType = (type: string): string => typeOfToken(type) ?? type;

export const isOfRules = ({ type }: Pick<StateResource, 'type'>): boolean =>
  shortType(type).startsWith('IpPolicyRule');

/** Whether a resource manages what it names: `get` only reads, and of what a replacement has already deleted only the name is left. */
export const isManaged = (
  resource: Pick<StateResource, 'type' | 'external' | 'pendingReplacement'>,
): boolean => isOwn(resource) && resource.external !== true && resource.pendingReplacement !== true;

/** The live objects that a stack manages: their keys (see `liveKey`), each with its resource. */
export const managersOf = ({ resources }: Pick<Deployment, 'resources'>): Map<string, StateResource> =>
  new Map(
    resources
      .filter(isManaged)
      .flatMap((resource) => liveIdsOf(resource).map((key) => [key, resource] as const)),
  );

/** The values of a live object without those that its resource keeps secret. A set keeps its rules as one text. */
export function withoutSecretsOf<T extends object>(manager: StateResource, live: T): T {
  const areRulesSecret = keepsSecret(manager, 'rules');
  const isSecret = (name: string): boolean =>
    keepsSecret(manager, name) || (areRulesSecret && name in ruleFields && name !== 'ipPolicyId');
  return Object.fromEntries(
    Object.entries(live).map(([name, value]) => [name, isSecret(name) ? SHOWN_SECRET : (value as unknown)]),
  ) as T;
}

/** The live objects of a resource: a set has rules, and no object of its own on the service. */
export function liveIdsOf(resource: Pick<StateResource, 'type' | 'id' | 'outputs'>): string[] {
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  if (type !== 'IpPolicyRuleSet') return resource.id === undefined ? [] : [liveKey(type, resource.id)];
  return parseIdList(withoutEnvelopes(resource.outputs?.['ruleIdList']));
}
