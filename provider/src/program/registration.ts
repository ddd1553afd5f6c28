// What for: what a program imports: the resource classes, the functions, `Provider`.
// Must not know: `hosts` and the HTTP client, which a program that only declares resources never loads.
import { COMMAND_LINE } from '../errors/words';
import * as pulumi from './sdk';
import type {
  Alias,
  CustomResourceOptions,
  Input,
  OrUndefined,
  ProviderResource,
  ResourceOptions,
  URN,
} from './sdk';
import { UserError } from '../errors/user-error';
import { fieldsOf, PROVIDER_KEY, SECRET_INPUTS_KEY, withDefaults } from '../fields/field';
import {
  type Host,
  nativeToken,
  PACKAGE_NAME,
  providerReference,
  type ResourceType,
  tokenOf,
  typeToken,
} from '../resources/provider-reference';
import { misspeltSettings } from '../settings/advice';
import { CONFIG_NAMESPACE, HOST_SETTING } from '../settings/settings';
import { printableByEngine } from '../values/printable';

/**
 * The host that the stack configuration names.
 *
 * @throws UserError if it names an unknown one.
 */
export function chosenHost(): Host {
  const given = new pulumi.Config(CONFIG_NAMESPACE).get(HOST_SETTING) ?? 'dynamic';
  if (given === 'dynamic' || given === 'native') return given;
  throw new UserError(
    `${CONFIG_NAMESPACE}:${HOST_SETTING} must be dynamic or native, not ${JSON.stringify(given.slice(0, 40))}`,
  );
}

let isDone = false;

/** Warns of unused settings, once per program: the host of the provider cannot list the configuration. */
export function warnOfMisspeltSettings(): void {
  if (isDone) return;
  isDone = true;
  for (const line of misspeltSettings(Object.keys(pulumi.allConfig())))
    void pulumi.log.warn(printableByEngine(line));
}

/** The type token of a resource with the host that the stack configuration names. */
export const registeredToken = (type: ResourceType): string => tokenOf(type, chosenHost());

/** Whether a value is a resource of a type, whichever host serves it and whichever copy of this package has made it. */
export const isOfType = (type: ResourceType, value: unknown): boolean =>
  [typeToken(type), nativeToken(type)].includes(tokenIn(value) ?? '');

export const tokenIn = (value: unknown): string | undefined =>
  (value as { readonly __pulumiType?: string } | undefined | null)?.__pulumiType;

/** The names of the arguments that are secret, as the dynamic host sees no marks; nothing if there are none. */
function secretInputs(
  args: object,
  { additionalSecretOutputs = [] }: CustomResourceOptions = {},
): Promise<string[] | undefined> | undefined {
  const open = Object.entries(args).filter(
    ([name, value]) => typeof value === 'object' || additionalSecretOutputs.includes(name),
  );
  if (open.length === 0) return undefined;
  const isSecret = async ([name, value]: [string, unknown]): Promise<string[]> =>
    additionalSecretOutputs.includes(name) || (await pulumi.isSecret(pulumi.output(value))) ? [name] : [];
  return Promise.all(open.map(isSecret)).then((namesOfEach) => {
    const names = namesOfEach.flat();
    return names.length > 0 ? names : undefined;
  });
}

/** What a resource class hands to the SDK. Programs read every field but those that steer the provider, and the outputs. */
export function registration({ type, fields, outputs = {}, name, args, opts }: Declared): Registration {
  const read = fieldsOf(fields).filter(([, { onChange }]) => onChange !== 'settings-only');
  const names = [...read.map(([field]) => field), ...Object.keys(outputs)];
  const given = withDefaults(fields, args) ?? {};
  const ofHost = { [PROVIDER_KEY]: providerReference(type), [SECRET_INPUTS_KEY]: secretInputs(given, opts) };
  const unset = Object.fromEntries(names.map((output) => [output, undefined]));
  const properties = { ...unset, ...given, ...(chosenHost() === 'native' ? {} : ofHost) };
  return [registeredToken(type), name, properties, resourceOptions(type, opts)];
}

type Registration = [token: string, name: string, properties: object, opts: CustomResourceOptions];

interface Declared {
  readonly type: ResourceType;
  readonly fields: object;
  /** What the service adds to the fields. */
  readonly outputs?: object;
  readonly name: string;
  readonly args: object | undefined;
  readonly opts: CustomResourceOptions | undefined;
}

/**
 * A component keeps a provider under the name of this package (`Provider.getPackage`), where the SDK does not find it for
 * resources of the dynamic host.
 * @throws UserError if there is none, and the stack allows no default one.
 */
export function providerOf({ provider, parent }: Reach): ProviderResource | undefined {
  const given = provider ?? parent?.getProvider(nativeToken('IpPolicyRule'));
  const disabled = new pulumi.Config('pulumi').getObject<string[]>('disable-default-providers') ?? [];
  if (given === undefined && disabled.includes(PACKAGE_NAME)) throw new UserError(NO_DEFAULT);
  return given;
}

type Reach = Partial<OrUndefined<Pick<Required<ResourceOptions>, 'provider' | 'parent'>>>;

const NO_DEFAULT =
  `pulumi:disable-default-providers lists ${PACKAGE_NAME}, so every resource and function of it needs a Provider: pass it as the ` +
  `option "provider", or in "providers" of a component.`;

/**
 * Replacement deletes first, as the service may refuse two rules for one CIDR, and a forced one (`up --replace`, taint) asks no
 * diff; the caller's choice wins. Resources that the other host has served are taken over.
 * @throws UserError if `import` is set with the dynamic host: the engine cannot import a dynamic resource that way.
 */
function resourceOptions(type: ResourceType, opts: CustomResourceOptions | undefined): CustomResourceOptions {
  const isNative = chosenHost() === 'native';
  // The plugin warns of them itself.
  if (!isNative) warnOfMisspeltSettings();
  if (!isNative && opts?.import !== undefined) throw new UserError(importAdvice(type, opts.import));
  const other = isNative ? typeToken(type) : nativeToken(type);
  // Natively the SDK and the engine see to it.
  const provider = isNative ? undefined : providerOf(opts ?? {});
  return {
    deleteBeforeReplace: true,
    ...opts,
    ...(provider && { provider }),
    aliases: withOtherHost(opts?.aliases ?? [], other),
  };
}

/** A resource's earlier name may be in a state written by either host. */
function withOtherHost(aliases: Input<URN | Alias>[], other: string): Input<URN | Alias>[] {
  const names = aliases.filter(
    (alias): alias is Alias => typeof alias === 'object' && !('then' in alias) && !('apply' in alias),
  );
  return [
    ...aliases,
    { type: other },
    ...names.filter((alias) => alias.type === undefined).map((alias) => ({ ...alias, type: other })),
  ];
}

const importAdvice = (type: ResourceType, id: unknown): string =>
  `The resource option "import" does not work for ${type} with the dynamic host: the engine does not tell it ` +
  `which provider to ask (pulumi/pulumi#3550). Remove it and run "${COMMAND_LINE} import" instead` +
  (typeof id === 'string' ? ` for ${id}` : '') +
  ', or switch the stack to the native plugin (pulumi config set edge-policy:host native).';
