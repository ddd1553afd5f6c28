// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { Engine } from './engine';
import { Plugin } from './plugin';
import { startServer } from './server';

/** How long requests that are under way may take once nobody waits for their answers any more. */
const LAST_ANSWERS_MS = 5000;

/** Serves the engine until it ends the process, or is gone itself. */
export async function main(engineAddress: string | undefined): Promise<void> {
  const engine = new Engine(() => {
    plugin.run.cancel();
    setTimeout(() => process.exit(1), LAST_ANSWERS_MS);
  });
  const plugin = new Plugin(engine.warn);
  const { port } = await startServer(plugin, engine);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
  if (engineAddress !== undefined) engine.attach(engineAddress);
}
