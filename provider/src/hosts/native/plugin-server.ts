// The server of the plugin, which only processes of this machine reach.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import type { Plugin } from './plugin';
import { providerService } from './provider-service';

/** The engine sends and accepts messages of this size, and a long set is one message. */
const LONGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Serves a plugin on a free port of the loopback interface. */
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
