// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { parseEngineAddress, stopWithEngine } from '../engine-watch';
import { Engine } from './engine';
import { Plugin } from './plugin';
import { programLanguage } from './program-language';
import { startServer } from './server';
import { wordingFor } from './wording';

/** Serves the engine until it ends the process, or is gone itself. */
export async function main(engineAddress: string | undefined): Promise<void> {
  const engine = new Engine();
  // The engine starts it in the folder of the program.
  const words = wordingFor(programLanguage(process.cwd()));
  const { port } = await startServer(new Plugin(engine.warn, words), engine);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
  // Without an engine it waits to be attached to one, for whoever looks for a mistake in it (PULUMI_DEBUG_PROVIDERS).
  if (engineAddress === undefined) return;
  engine.attach(engineAddress);
  stopWithEngine(parseEngineAddress(engineAddress));
}
