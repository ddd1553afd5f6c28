/* eslint-disable @typescript-eslint/unbound-method -- `ask` calls the methods on their client */
import {
  type CallOptions,
  type ClientUnaryCall,
  credentials,
  type Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { ResourceProviderClient } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { ConfigureRequest, type ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Plugin } from '../../provider/src/hosts/native/plugin';
import { startServer } from '../../provider/src/hosts/native/provider-service';
import { nativeToken, type ResourceType } from '../../provider/src/resources/provider-reference';
import { deferCleanup } from './cleanup';
import { failureIn, secretValue, struct } from './native-messages';
import { type Service, startService } from './service-stack';
import type { Emulator } from '../../emulator/src/index';

/** A bag as JSON, with the special values of the engine. */
export type Bag = Record<string, unknown>;

/** The engine's placeholders for unknown values, by type. */
export const unknown = {
  string: '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
  boolean: '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  array: '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  object: 'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
};

export { secretValue };

export const urnOf = (type: ResourceType, name = 'one'): string =>
  `urn:pulumi:dev::project::pulumi:pulumi:Stack$${nativeToken(type)}::${name}`;

export const keptBy = (error: unknown): ErrorResourceInitFailed.AsObject | undefined =>
  failureIn(error as ServiceError)?.toObject();

type Callback<Response> = (error: ServiceError | null, response: Response) => void;

/** A method of the generated client, with all its overloads: the compiler infers from as many as there are. */
interface Method<Request, Response> {
  (request: Request, callback: Callback<Response>): ClientUnaryCall;
  (request: Request, metadata: Metadata, callback: Callback<Response>): ClientUnaryCall;
  (
    request: Request,
    metadata: Metadata,
    options: Partial<CallOptions>,
    callback: Callback<Response>,
  ): ClientUnaryCall;
}

/** A plugin on a port of its own, and the calls that an engine makes. */
export class NativePlugin {
  private constructor(
    readonly client: ResourceProviderClient,
    readonly emulator: Emulator,
    readonly apiKey: string,
    readonly warnings: readonly string[],
    /** The resources of the warnings, in their order; empty for one of the run. */
    readonly warnedUrns: readonly string[],
  ) {}

  static async start(service?: Service): Promise<NativePlugin> {
    const { emulator, apiKey } = service ?? (await startService());
    const warnings: string[] = [];
    const warnedUrns: string[] = [];
    const warn = (line: string, urn = ''): void => {
      warnings.push(line);
      warnedUrns.push(urn);
    };
    const plugin = new Plugin(warn);
    const { server, port } = await startServer(plugin);
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    deferCleanup(() => {
      client.close();
      server.forceShutdown();
      plugin.run.cancel();
    });
    return new NativePlugin(client, emulator, apiKey, warnings, warnedUrns);
  }

  /** A plugin configured for the service. */
  static async configured(settings: Bag = {}, service?: Service): Promise<NativePlugin> {
    const plugin = await NativePlugin.start(service);
    const { emulator, apiKey } = plugin;
    const args = struct({
      baseUrl: emulator.url,
      apiKey: secretValue(apiKey),
      version: '0.1.0',
      ...settings,
    });
    await plugin.ask(plugin.client.configure, new ConfigureRequest().setArgs(args));
    return plugin;
  }

  /** The plugin of the next run: every run of the engine has a process of its own. */
  next(): Promise<NativePlugin> {
    return NativePlugin.configured({}, this);
  }

  /** One call; rejects with the plugin's refusal. */
  ask<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      const send = method.bind(this.client) as (request: Request, callback: Callback<Response>) => void;
      send(request, (error, response) => {
        if (error === null) resolve(response);
        else reject(error);
      });
    });
  }

  /** The engine's call after Ctrl-C. */
  async cancel(): Promise<void> {
    await this.ask(this.client.cancel, new Empty());
  }
}
