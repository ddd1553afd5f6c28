import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import {
  type CheckRequest,
  type ConfigureRequest,
  ConfigureResponse,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  GetSchemaResponse,
  type InvokeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { PACKAGE_VERSION } from '../../api/client-settings';
import { callTimeMs } from '../../api/clock';
import { checkConfig, diffConfig } from './configuration';
import { invoke } from './invoke';
import type { Plugin } from './plugin';
import type { NativeResource } from './resource';
import { type RefusalOptions, toRefusal } from './status';

/** The package's schema, which the engine asks for; `npm run schema` writes it. */
const schemaText = (): string => JSON.stringify(require('../../../schemas/pulumi-schema.json'));

/** The engine sends and accepts messages of this size, and a long set is one message. */
const LONGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Serves a plugin on a free port of the loopback interface, which only processes of this machine reach. */
export async function startServer(
  plugin: Plugin,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new Server({
    'grpc.max_receive_message_length': LONGEST_MESSAGE_BYTES,
    'grpc.max_send_message_length': LONGEST_MESSAGE_BYTES,
  });
  server.addService(ResourceProviderService, providerService(plugin));
  return { server, port: await listen(server) };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });

/** A plugin need not have the missing calls: gRPC answers so. Secrets arrive marked, and are marked again in the answer. */
function providerService(plugin: Plugin): UntypedServiceImplementation {
  const step = steps(plugin);
  const call = unary(plugin);
  return {
    handshake: call(() => new ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: call(() => new PluginInfo().setVersion(PACKAGE_VERSION)),
    getSchema: call(() => new GetSchemaResponse().setSchema(schemaText())),
    checkConfig: call((request: CheckRequest) => checkConfig(request, plugin.run)),
    diffConfig: call(diffConfig),
    configure: call((request: ConfigureRequest) => {
      plugin.configure(request);
      return new ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true);
    }),
    check: step((resource, request: CheckRequest) => resource.check(request)),
    diff: step((resource, request: DiffRequest) => resource.diff(request)),
    create: step((resource, request: CreateRequest) => resource.create(request), 'sends'),
    read: step((resource, request: ReadRequest) => resource.read(request), 'sends'),
    update: step((resource, request: UpdateRequest) => resource.update(request), 'sends'),
    delete: step(async (resource, request: DeleteRequest) => {
      await resource.delete(request);
      return new Empty();
    }, 'sends'),
    invoke: call((request: InvokeRequest) => invoke(request, plugin)),
    cancel: call(() => {
      plugin.run.cancel();
      return new Empty();
    }),
  };
}

/** Answers a call with the result of its work, or refuses it. */
const unary =
  (plugin: Plugin) =>
  <Request, Response>(
    work: (request: Request) => Response | Promise<Response>,
    resourceOf?: (request: Request) => RefusalOptions['resource'],
  ): handleUnaryCall<Request, Response> =>
  ({ request }, callback) => {
    settle(() => work(request)).then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        const { keyAdvice: advice, marked } = plugin.run;
        const options = { advice, conceal: marked.conceal, resource: resourceOf?.(request) };
        callback(toRefusal(error, options));
      },
    );
  };

const steps =
  (plugin: Plugin) =>
  <Request extends { getUrn(): string; getTimeout?(): number; getPreview?(): boolean }, Response>(
    work: (resource: NativeResource, request: Request) => Response | Promise<Response>,
    kind?: 'sends',
  ): handleUnaryCall<Request, Response> =>
    unary(plugin)<Request, Response>(
      async (request) => {
        await plugin.run.joined;
        const step = () => {
          const resource = plugin.resource(request.getUrn());
          if (kind === 'sends' && request.getPreview?.() !== true) plugin.requireConfiguration();
          return work(resource, request);
        };
        const seconds = request.getTimeout?.() ?? 0;
        return seconds > 0 ? callTimeMs.run(seconds * 1000, step) : step();
      },
      (request) => ({
        isReadFirst: (state) => plugin.resource(request.getUrn()).isReadFirst(state),
        answer: (state) => plugin.resource(request.getUrn()).answer(request, state),
      }),
    );

const settle = async <T>(work: () => T | Promise<T>): Promise<T> => work();
