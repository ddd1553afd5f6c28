// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { Engine } from './engine';
import { Plugin } from './plugin';
import { providerService } from './service';

/** The engine sends and takes messages of this size, and a long set is one message. */
const LONGEST_MESSAGE_BYTES = 400 * 1024 * 1024;
/** How long requests that are under way may take once nobody waits for their answers any more. */
const LAST_ANSWERS_MS = 5000;

/** Serves the engine until it ends the process, or is gone itself. */
export async function main(engineAddress: string | undefined): Promise<void> {
  const engine = new Engine(() => {
    plugin.run.cancel();
    setTimeout(() => process.exit(1), LAST_ANSWERS_MS);
  });
  const plugin = new Plugin(engine.warn);
  const server = new Server({
    'grpc.max_receive_message_length': LONGEST_MESSAGE_BYTES,
    'grpc.max_send_message_length': LONGEST_MESSAGE_BYTES,
  });
  server.addService(ResourceProviderService, providerService(plugin, engine));
  const port = await listen(server);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
  if (engineAddress !== undefined) engine.attach(engineAddress);
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
