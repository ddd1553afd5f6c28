import * as pulumi from './sdk';
import { CONFIG_NAMESPACE, isSecretSetting, PROVIDER_NAME_KEY, type SettingName } from '../settings/settings';
import { PACKAGE_NAME } from '../resources/provider-reference';
import { chosenHost } from './registration';

/** The arguments of a {@link Provider}. Any that you leave out come from the environment. */
export interface ProviderArgs {
  /** An API key of the account. Kept as a secret. */
  readonly apiKey?: pulumi.Input<string | undefined>;
  /** The base URL of the service: https, or http with a literal loopback address, not `localhost`. */
  readonly baseUrl?: pulumi.Input<string | undefined>;
  /** The name of the version header, with "Version" in it. Default: `Service-Version`. */
  readonly versionHeader?: pulumi.Input<string | undefined>;
  /** The API version to request. Default: `2`. */
  readonly apiVersion?: pulumi.Input<string | undefined>;
  /** How many requests may run at the same time, 1 to 256. Default: 8. */
  readonly maxConcurrency?: pulumi.Input<number | undefined>;
  /** How long one attempt at a request may take, in seconds, 1 to 3600. Default: 30. */
  readonly requestTimeoutSeconds?: pulumi.Input<number | undefined>;
  /** How long an operation may take in total, with all its attempts, in seconds, 1 to 86400. Default: 300. */
  readonly operationTimeoutSeconds?: pulumi.Input<number | undefined>;
  /** How many times a request is attempted, 1 to 20. Default: 4. */
  readonly maxAttempts?: pulumi.Input<number | undefined>;
  /** A rate limit to respect from the start, in requests per minute. Default: adapts to the responses of the service. */
  readonly requestsPerMinute?: pulumi.Input<number | undefined>;
  /** A proxy for all https requests, as a URL. Kept as a secret. Default: none; `HTTPS_PROXY` is ignored. */
  readonly proxy?: pulumi.Input<string | undefined>;
}

/**
 * One account of the service, for programs that manage several accounts: pass it as the option `provider` of resources, or in
 * `providers` of a component, whose children then use it. Without it, the settings come from the stack configuration (`edge-policy:apiKey`, …) and the environment.
 */
export class Provider extends pulumi.ProviderResource {
  /** Whether a value is a provider of this package, with either host. */
  static override isInstance(value: unknown): value is Provider {
    return (value as Partial<Provider> | null | undefined)?.getPackage?.() === PACKAGE_NAME;
  }

  /** The given settings by their keys, for functions such as `getIpPolicyRule`. */
  readonly settings: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    const given = settingsIn(args);
    const byKey = given.map(([setting, text]) => [`${CONFIG_NAMESPACE}:${setting}`, text] as const);
    const settings = { ...Object.fromEntries(byKey), [PROVIDER_NAME_KEY]: name };
    if (chosenHost() === 'native') super(PACKAGE_NAME, name, Object.fromEntries(given), opts);
    else super('pulumi-nodejs', name, settings, opts);
    this.settings = pulumi.output(settings).apply(withoutUnset);
  }

  /**
   * The name under which a component keeps the provider for its children. The package of the dynamic host would be that of all
   * dynamic resources, so that a component would pass its account to foreign ones.
   *
   * @internal
   */
  getPackage(): string {
    return PACKAGE_NAME;
  }
}

/** The given settings by their names, as texts. */
function settingsIn(args: ProviderArgs): [SettingName, pulumi.Output<string | undefined>][] {
  const given = Object.entries(args) as [SettingName, pulumi.Input<string | number | undefined>][];
  return given.map(([name, value]) => {
    const text = pulumi
      .output(value)
      .apply((setting) => (setting === undefined ? undefined : String(setting)));
    return [name, isSecretSetting(name) ? pulumi.secret(text) : text];
  });
}

const withoutUnset = (settings: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
