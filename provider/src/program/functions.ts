import * as pulumi from './sdk';
import type * as clientModule from '../api/client';
import type { ApiClient } from '../api/client';
import { toHostError } from '../errors/host-error';
import { CONFIG_NAMESPACE, resolveSettings } from '../settings/settings';
import { UserError } from '../errors/user-error';
import {
  httpsEdgeRouteUserAgentFilterModule,
  type HttpsEdgeRouteUserAgentFilterModuleInputs,
} from '../resources/https-edge-route-user-agent-filter-module';
import { type IpPolicyRuleResult, lookUpRule, lookUpRules, lookUpModule } from '../resources/look-ups';
import {
  tcpEdgeTrafficPolicyModule,
  type TcpEdgeTrafficPolicyModuleInputs,
} from '../resources/tcp-edge-traffic-policy-module';
import { applyWithUnknowns } from './apply-with-unknowns';
import type { Inputs } from './properties';
import type { Provider } from './provider';

export type { IpPolicyRuleResult } from '../resources/look-ups';

/** Options of the functions that read the service. */
export interface LookUpOptions {
  /** The account to ask. Default: the one of the stack configuration and the environment. */
  readonly provider?: Provider;
}

/** Which rules {@link listIpPolicyRules} returns; both conditions must hold. */
export interface ListIpPolicyRulesArgs {
  /** Only rules of this IP policy, `ipp_…`. Default: all policies of the account. */
  readonly ipPolicyId?: string;
  /** Only rules with this action. Default: both. */
  readonly action?: 'allow' | 'deny';
}

/**
 * Reads one IP policy rule.
 *
 * @throws Error if the service has no such rule, or does not answer; as all functions do, also where the settings of
 * the provider are not known at a preview.
 */
export const getIpPolicyRule = (args: { id: string }, opts?: LookUpOptions): Promise<IpPolicyRuleResult> =>
  withClient(opts, (client) => lookUpRule(client, args));

/** Lists the IP policy rules of the account, all pages, newest first, as the service returns them. */
export const listIpPolicyRules = (
  args: ListIpPolicyRulesArgs = {},
  opts?: LookUpOptions,
): Promise<IpPolicyRuleResult[]> => withClient(opts, (client) => lookUpRules(client, args));

/**
 * Reads the traffic policy module of a TCP edge.
 *
 * @throws Error if the edge carries none, or the service does not answer.
 */
export const getTcpEdgeTrafficPolicyModule = (
  args: { edgeId: string },
  opts?: LookUpOptions,
): Promise<TcpEdgeTrafficPolicyModuleInputs> =>
  withClient(opts, (client) => lookUpModule(tcpEdgeTrafficPolicyModule, client, args));

/**
 * Reads the user agent filter module of an HTTPS edge route.
 *
 * @throws Error if the route carries none, or the service does not answer.
 */
export const getHttpsEdgeRouteUserAgentFilterModule = (
  args: { edgeId: string; routeId: string },
  opts?: LookUpOptions,
): Promise<HttpsEdgeRouteUserAgentFilterModuleInputs> =>
  withClient(opts, (client) => lookUpModule(httpsEdgeRouteUserAgentFilterModule, client, args));

/** The arguments of a function, each of which may be an output of a resource. */
export type OutputArgs<Args> = Inputs<Args>;

/** {@link getIpPolicyRule} for arguments that are outputs of other resources. */
export const getIpPolicyRuleOutput = (
  args: OutputArgs<{ id: string }>,
  opts?: LookUpOptions,
): pulumi.Output<IpPolicyRuleResult> => whenKnown(getIpPolicyRule, args, opts);

/** {@link listIpPolicyRules} for arguments that are outputs of other resources. */
export const listIpPolicyRulesOutput = (
  args: OutputArgs<ListIpPolicyRulesArgs> = {},
  opts?: LookUpOptions,
): pulumi.Output<IpPolicyRuleResult[]> => whenKnown(listIpPolicyRules, args, opts);

/** {@link getTcpEdgeTrafficPolicyModule} for arguments that are outputs of other resources. */
export const getTcpEdgeTrafficPolicyModuleOutput = (
  args: OutputArgs<{ edgeId: string }>,
  opts?: LookUpOptions,
): pulumi.Output<TcpEdgeTrafficPolicyModuleInputs> => whenKnown(getTcpEdgeTrafficPolicyModule, args, opts);

/** {@link getHttpsEdgeRouteUserAgentFilterModule} for arguments that are outputs of other resources. */
export const getHttpsEdgeRouteUserAgentFilterModuleOutput = (
  args: OutputArgs<{ edgeId: string; routeId: string }>,
  opts?: LookUpOptions,
): pulumi.Output<HttpsEdgeRouteUserAgentFilterModuleInputs> =>
  whenKnown(getHttpsEdgeRouteUserAgentFilterModule, args, opts);

/** Looks up once arguments and account are known; while they are not, the result is unknown. */
function whenKnown<Args, Result>(
  look: (args: Args, opts?: LookUpOptions) => Promise<Result>,
  args: OutputArgs<Args>,
  opts: LookUpOptions | undefined,
): pulumi.Output<Result> {
  const known = pulumi.output(args) as unknown as pulumi.Output<Args>;
  if (opts?.provider === undefined) return known.apply((resolved) => look(resolved, opts));
  // Only whether the settings are known matters here: the secret key among them must not make the result a secret.
  const settings = pulumi.unsecret(opts.provider.settings);
  return settings.apply(() => known).apply((resolved) => look(resolved, opts));
}

const clients = new Map<string, ApiClient>();

async function withClient<T>(
  opts: LookUpOptions | undefined,
  work: (client: ApiClient) => Promise<T>,
): Promise<T> {
  try {
    return await work(await clientFor(opts?.provider));
  } catch (error) {
    throw toHostError(error, {});
  }
}

/** A program that calls no function never loads the HTTP client; one that does keeps one client per account. */
async function clientFor(provider: Provider | undefined): Promise<ApiClient> {
  const config = provider === undefined ? stackConfig() : await settingsOf(provider);
  const settings = resolveSettings({ config, environment: process.env });
  const fingerprint = JSON.stringify(settings);
  const known = clients.get(fingerprint);
  if (known !== undefined) return known;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with every program
  const { ApiClient: Client } = require('../api/client') as typeof clientModule;
  const client = new Client(settings);
  clients.set(fingerprint, client);
  return client;
}

function stackConfig(): (key: string) => string | undefined {
  const config = new pulumi.Config(CONFIG_NAMESPACE);
  return (key) => config.get(key.slice(CONFIG_NAMESPACE.length + 1));
}

/** @throws UserError at a preview that cannot know them, as waiting would never end. */
async function settingsOf(provider: Provider): Promise<(key: string) => string | undefined> {
  const { settings } = provider;
  const found = await new Promise<Record<string, string>>((resolve) => {
    applyWithUnknowns(settings, resolve);
  });
  if (pulumi.containsUnknowns(found)) throw new UserError(UNKNOWN_SETTINGS);
  return (key) => found[key];
}

const UNKNOWN_SETTINGS =
  'The settings of the provider are not known yet during this preview, so the service cannot be asked: use the variant of ' +
  'the function whose name ends in "Output", which has no result until the next "pulumi up".';
