import type { Host } from '../../provider/src/resources/provider-reference';
import type { Lifetime } from './cleanup';
import type { ConfigValue } from './stack-files';

/** A Pulumi program: its text, or a folder that is copied (such as an example of the repository). */
export type Program = { readonly js: string } | { readonly ts: string } | { readonly folder: string };

export interface StackOptions {
  readonly program: Program;
  /** Address of the service, usually an emulator's; without it the stack has no settings of the provider at all. */
  readonly baseUrl?: string;
  /** The API key of the stack, a canary from `SecretsScan.makeUp`; by default one of its own. */
  readonly apiKey?: string;
  /**
   * Where API key and address come from: `environment` (default) or `config`. In `config` the engine knows the key as a secret
   * and masks it in its output, which hides leaks.
   */
  readonly settingsIn?: 'environment' | 'config';
  /** The host that serves the resources, with the plugin available; defaults to the host under test (`testedHost`). */
  readonly host?: Host;
  /** The folder of the plugin, if not that of the checkout. */
  readonly pluginFolder?: string;
  /** Stack configuration by full key, such as `edge-policy:maxConcurrency`. */
  readonly config?: Readonly<Record<string, ConfigValue>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Name of the Pulumi project; defaults to `harness`. */
  readonly project?: string;
  /** Name of the stack; defaults to `dev`. */
  readonly stack?: string;
  /** URL of another state backend than the stack's own folder. */
  readonly backendUrl?: string;
  /** The node_modules folder that the program sees; defaults to the workspace's. */
  readonly nodeModules?: string;
  /** Installs the packages of the program into its folder, instead of the link to a node_modules folder. */
  readonly install?: (project: string) => Promise<void>;
  /** The folder of another Node executable. */
  readonly nodeBin?: string;
  /** How long the stack is kept; by default until the end of the test. */
  readonly lifetime?: Lifetime;
}

/** The options of one call of the CLI. */
export interface CallOptions {
  /** Further arguments, such as `--target`. */
  readonly args?: readonly string[];
  /** The expected outcome: success (default), failure, or either. The harness throws, with all output, on any other. */
  readonly expect?: 'success' | 'failure' | 'either';
  /** Writes the engine's most verbose log to stderr, so that it is scanned for secrets. */
  readonly isVerbose?: boolean;
  readonly env?: NodeJS.ProcessEnv;
}
