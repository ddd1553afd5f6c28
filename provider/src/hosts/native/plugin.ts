import { status } from '@grpc/grpc-js';
import type { ConfigureRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import { UserError } from '../../lifecycle/user-error';
import { nativeToken, resourceTypes } from '../../resources/provider-reference';
import { lifecycles, shapes } from '../../resources/registry';
import { Run } from '../run';
import { configOf } from './configuration';
import { plainProperties } from './properties';
import { NativeResource } from './resource';
import { Refused } from './status';

/** One provider of the engine: its resources, its settings, and the run that they share. */
export class Plugin {
  #run: Run;
  #isConfigured = false;
  readonly #resources: ReadonlyMap<string, NativeResource>;

  /** @param say Shows one line as a warning. */
  constructor(private readonly say: (line: string) => void) {
    this.#run = new Run(say);
    const tools = (): Run => this.#run;
    const warn = (line: string): void => {
      this.#run.warn(line);
    };
    this.#resources = new Map(
      resourceTypes.map((type) => [
        nativeToken(type),
        new NativeResource(lifecycles[type](tools), shapes[type], warn),
      ]),
    );
  }

  get run(): Run {
    return this.#run;
  }

  /** A plugin that is attached to outlives the engine's runs: what one has seen, and that it was cancelled, ends with it. */
  begin(): void {
    this.#run = new Run(this.say);
    this.#isConfigured = false;
  }

  configure(request: ConfigureRequest): void {
    this.run.configure(configOf(plainProperties(request.getArgs())));
    this.#isConfigured = true;
  }

  /** The resource of a URN; its type is the last of the types that the URN holds. */
  resource(urn: string): NativeResource {
    const type = urn.split('::')[2]?.split('$').at(-1) ?? '';
    const resource = this.#resources.get(type);
    if (resource === undefined) throw new Refused(status.NOT_FOUND, `There is no resource type ${type}.`);
    return resource;
  }

  /** Whoever sends requests needs settings, and those come from the engine first of all. */
  requireConfiguration(): void {
    if (!this.#isConfigured) throw new UserError('The engine has not configured this provider yet.');
  }

  readonly client = (): ApiClient => {
    this.requireConfiguration();
    return this.run.client;
  };
}
