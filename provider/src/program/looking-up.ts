// How a function of a program reaches the service: the account that it asks, arguments that are outputs, and the SDK's mocks.
import * as pulumi from './sdk';
import type { ApiClient } from '../api/client';
import { toHostError } from '../errors/host-error';
import { UserError } from '../errors/user-error';
import type { Properties } from '../fields/field';
import { type IpPolicyRuleResult, lookUpModule, lookUpRule, lookUpRules } from '../resources/look-ups';
import type { ModuleKind } from '../resources/module-kind';
import { type ModuleType, nativeToken } from '../resources/provider-reference';
import { CONFIG_NAMESPACE, resolveSettings } from '../settings/settings';
import { typeName } from '../values/failure';
import type { Inputs, OrUndefined } from './sdk';
import type { Provider } from './provider';
import { providerOf } from './registration';

/**
 * The options of the functions that read the service. They ask the account of `provider`; without one, that which a resource with
 * this `parent` would be in; without both, that of the stack configuration and the environment.
 */
export type LookUpOptions = OrUndefined<pulumi.InvokeOptions>;

/** {@link LookUpOptions} of the variants that return an output, which may also wait for resources: `dependsOn`. */
export type LookUpOutputOptions = OrUndefined<pulumi.InvokeOutputOptions>;

/** The arguments of a function, each of which may be an output of a resource. */
export type OutputArgs<Args> = Inputs<Args>;

/** A function that reads the service. */
export type LookUpFunction<Args, Result> = (args: Args, opts?: LookUpOptions) => Promise<Result>;

/** {@link LookUpFunction} for arguments that are outputs of other resources. */
export type LookUpOutputFunction<Args, Result> = (
  args: OutputArgs<Args>,
  opts?: LookUpOutputOptions,
) => pulumi.Output<Result>;

export interface LookUp<Args, Result> {
  /** By which its mock knows it. */
  readonly token: string;
  readonly ask: (client: ApiClient, args: Args) => Promise<Result>;
  /** The property that holds the result in the answer of its mock, which is an object. Without it: the answer. */
  readonly listIn?: string;
}

export const moduleLookUp = <Live extends object>(
  type: ModuleType,
  kind: ModuleKind<Live>,
): LookUp<Partial<Live>, Live> => ({
  token: nativeToken(`get${type}`),
  ask: (client, args) => lookUpModule(kind, client, args),
});

export const functionOf =
  <Args extends object, Result>(lookUp: LookUp<Args, Result>) =>
  async (args: Args, opts: LookUpOptions = {}): Promise<Result> =>
    pulumi.isMocked()
      ? resultOf(lookUp, (await pulumi.invoke(lookUp.token, args, mockOptions(opts))) as object)
      : askService(lookUp, args, providerOf(opts));

export const outputFunctionOf =
  <Args extends object, Result>(lookUp: LookUp<Args, Result>) =>
  (args: OutputArgs<Args>, opts: LookUpOutputOptions = {}): pulumi.Output<Result> =>
    pulumi.isMocked()
      ? pulumi
          .invokeOutput<object>(lookUp.token, args, mockOptions(opts))
          .apply<Result>((answer) => resultOf(lookUp, answer))
      : askWhenKnown(lookUp, args, opts);

async function askService<Args, Result>(
  { ask }: LookUp<Args, Result>,
  args: Args,
  provider: pulumi.ProviderResource | undefined,
): Promise<Result> {
  try {
    return await ask(await clientFor(provider), args);
  } catch (error) {
    throw toHostError(error, {});
  }
}

/** Asks once arguments, settings, and the resources behind them are known. Until then the result is unknown. */
function askWhenKnown<Args, Result>(
  lookUp: LookUp<Args, Result>,
  args: OutputArgs<Args>,
  opts: LookUpOutputOptions,
): pulumi.Output<Result> {
  const known = pulumi.output(args) as unknown as pulumi.Output<Args>;
  const ids = pulumi.output(pulumi.idsOf(known, opts.dependsOn));
  const provider = providerOf(opts);
  // Only whether the settings are known matters here: the secret key among them must not make the result a secret.
  const settings = provider && pulumi.unsecret(settingsOf(provider));
  return pulumi
    .all([ids, settings])
    .apply(() => known)
    .apply((resolved) => askService(lookUp, resolved, provider));
}

/** @throws UserError if the mock answers something else. */
function resultOf<Result>({ token, listIn }: LookUp<never, Result>, answer: object): Result {
  if (listIn === undefined) return answer as Result;
  const list = (answer as Properties)[listIn];
  if (Array.isArray(list)) return list as Result;
  throw new UserError(
    `The mock of ${token} must return an object with a list "${listIn}", not with ${typeName(list)}.`,
  );
}

/** The mock sees the provider, whichever host has it. */
const mockOptions = (opts: LookUpOutputOptions): pulumi.InvokeOutputOptions =>
  ({ provider: providerOf(opts), dependsOn: opts.dependsOn }) as pulumi.InvokeOutputOptions;

const clients = new Map<string, ApiClient>();

/** A program that calls no function never loads the HTTP client; one that does keeps one client per account. */
async function clientFor(provider: pulumi.ProviderResource | undefined): Promise<ApiClient> {
  const config = provider === undefined ? stackConfig() : await knownSettings(provider);
  const settings = resolveSettings({ config, environment: process.env });
  const fingerprint = JSON.stringify(settings);
  const known = clients.get(fingerprint);
  if (known !== undefined) return known;
  const { ApiClient: Client } = require('../api/client') as typeof import('../api/client');
  const client = new Client(settings);
  clients.set(fingerprint, client);
  return client;
}

function stackConfig(): (key: string) => string | undefined {
  const config = new pulumi.Config(CONFIG_NAMESPACE);
  return (key) => config.get(key.slice(CONFIG_NAMESPACE.length + 1));
}

/** @throws UserError if it is another package's: a resource would fail, or work on another account than its neighbours. */
function settingsOf(provider: pulumi.ProviderResource): Provider['settings'] {
  const { settings } = provider as Partial<Provider>;
  if (settings !== undefined) return settings;
  throw new UserError(
    'The provider of this look-up is no Provider of pulumi-edge-policy, so its account is not known: pass one in the option "provider".',
  );
}

/** @throws UserError in a preview in which they are not known yet: waiting for them would never end. */
async function knownSettings(
  provider: pulumi.ProviderResource,
): Promise<(key: string) => string | undefined> {
  const settings = await new Promise<Record<string, string>>((resolve) => {
    pulumi.applyWithUnknowns(settingsOf(provider), resolve);
  });
  if (pulumi.containsUnknowns(settings)) throw new UserError(UNKNOWN_SETTINGS);
  return (key) => settings[key];
}

const UNKNOWN_SETTINGS =
  'The settings of the provider are not known yet during this preview, so the service cannot be asked: use the variant of ' +
  'the function whose name ends in "Output", which has no result until the next "pulumi up".';

export type { IpPolicyRuleResult as GetIpPolicyRuleResult } from '../resources/look-ups';

/** The rule that {@link getIpPolicyRule} returns. */
export interface GetIpPolicyRuleArgs {
  /** The id of the rule, `ipr_…`. */
  readonly id: string;
}

/** The rules that {@link listIpPolicyRules} returns; both conditions must hold. */
export interface ListIpPolicyRulesArgs {
  /** Only rules of this IP policy, `ipp_…`. Default: all policies of the account. */
  readonly ipPolicyId?: string | undefined;
  /** Only rules with this action. Default: both. */
  readonly action?: 'allow' | 'deny' | undefined;
}

const oneRule: LookUp<GetIpPolicyRuleArgs, IpPolicyRuleResult> = {
  token: nativeToken('getIpPolicyRule'),
  ask: lookUpRule,
};
const manyRules: LookUp<ListIpPolicyRulesArgs, IpPolicyRuleResult[]> = {
  token: nativeToken('listIpPolicyRules'),
  ask: lookUpRules,
  listIn: 'rules',
};

/**
 * Reads one IP policy rule.
 *
 * @throws Error if the service has no such rule or does not respond. Like every function, it also throws if the settings of
 * the provider are not known during a preview.
 */
export const getIpPolicyRule: LookUpFunction<GetIpPolicyRuleArgs, IpPolicyRuleResult> = functionOf(oneRule);

/** Lists all IP policy rules of the account in the order of the service, newest first. */
export const listIpPolicyRules = (
  args: ListIpPolicyRulesArgs = {},
  opts?: LookUpOptions,
): Promise<IpPolicyRuleResult[]> => functionOf(manyRules)(args, opts);

/** {@link getIpPolicyRule} for arguments that are outputs of other resources. */
export const getIpPolicyRuleOutput: LookUpOutputFunction<GetIpPolicyRuleArgs, IpPolicyRuleResult> =
  outputFunctionOf(oneRule);

/** {@link listIpPolicyRules} for arguments that are outputs of other resources. */
export const listIpPolicyRulesOutput = (
  args: OutputArgs<ListIpPolicyRulesArgs> = {},
  opts?: LookUpOutputOptions,
): pulumi.Output<IpPolicyRuleResult[]> => outputFunctionOf(manyRules)(args, opts);
