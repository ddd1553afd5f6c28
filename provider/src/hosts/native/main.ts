// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ResourceProviderService } from '@pulumi/pulumi/proto/provider_grpc_pb';
import { parseEngineAddress, stopWithEngine } from '../engine-watch';
import { Engine } from './engine';
import { Plugin } from './plugin';
import { providerService } from './service';
import { programLanguage } from './program-language';
import { wordsFor } from './words';

/** Serves the engine until it ends the process, or is gone itself. */
export async function main(engineAddress: string | undefined): Promise<void> {
  const engine = new Engine();
  // The engine starts it in the folder of the program.
  const words = wordsFor(programLanguage(process.cwd()));
  const { port } = await startServer(new Plugin(engine.warn, words), engine);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
  // Without an engine it waits to be attached to one, for whoever looks for a mistake in it (PULUMI_DEBUG_PROVIDERS).
  if (engineAddress === undefined) return;
  engine.attach(engineAddress);
  stopWithEngine(parseEngineAddress(engineAddress));
}

/** The engine sends and takes messages of this size, and a long set is one message. */
const LONGEST_MESSAGE_BYTES = 400 * 1024 * 1024;

/** Serves a plugin on a free port of the loopback interface. */
export async function startServer(
  plugin: Plugin,
  engine: Pick<Engine, 'attach'>,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = new Server({
    'grpc.max_receive_message_length': LONGEST_MESSAGE_BYTES,
    'grpc.max_send_message_length': LONGEST_MESSAGE_BYTES,
  });
  server.addService(ResourceProviderService, providerService(plugin, engine));
  return { server, port: await listen(server) };
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
