// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { PACKAGE_VERSION } from '../../api/client-settings';
import { boundToEngine, isEngineAddress } from '../engine-watch';
import { Engine } from './engine';
import { Plugin } from './plugin';
import { programLanguage } from './program-language';
import { wordsFor } from './language-words';
import { startServer } from './start-server';

const HELP = `pulumi-resource-edge-policy ${PACKAGE_VERSION}: the plugin of pulumi-edge-policy. Pulumi starts it by itself.

Usage: pulumi-resource-edge-policy [--version | --help | ADDRESS OF THE ENGINE]
To generate the library of a language, pass this file's path, not its folder or a name:
  pulumi package gen-sdk PATH/pulumi-resource-edge-policy --language python --local --out sdks
Without an address it prints its port and waits to be attached to: PULUMI_DEBUG_PROVIDERS=edge-policy:PORT pulumi up
`;

/**
 * Serves the engine until the engine ends the process, or is gone itself.
 *
 * @param args The arguments of the process. The engine puts flags for its own log before its address.
 */
export async function main(args: readonly string[]): Promise<void> {
  const engineAddress = args.at(-1);
  if (engineAddress === '--version' || engineAddress === '--help') {
    // eslint-disable-next-line no-console -- a constant
    console.log(engineAddress === '--version' ? PACKAGE_VERSION : HELP.trimEnd());
    return;
  }
  const engine = new Engine();
  // The engine starts it in the folder of the program.
  const words = wordsFor(programLanguage(process.cwd()));
  const run = isEngineAddress(engineAddress ?? '') ? boundToEngine(engineAddress ?? '') : undefined;
  const { port } = await startServer(new Plugin(engine.warn, words, run), engine);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
  // Without an engine it waits to be attached to one, for debugging (PULUMI_DEBUG_PROVIDERS).
  if (engineAddress !== undefined) engine.attach(engineAddress);
}
