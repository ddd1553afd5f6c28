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
  readonly run: Run;
  #isConfigured = false;
  readonly #resources: ReadonlyMap<string, NativeResource>;

  constructor(say: (line: string) => void) {
    this.run = new Run(say);
    const tools = (): Run => this.run;
    this.#resources = new Map(
      resourceTypes.map((type) => [
        nativeToken(type),
        new NativeResource(lifecycles[type](tools), shapes[type], this.run.warn),
      ]),
    );
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
