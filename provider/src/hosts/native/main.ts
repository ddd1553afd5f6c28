// The plugin `pulumi-resource-edge-policy`: the engine starts it with its own address as the last argument, and reads the port
// from the first line of its output.
import { PACKAGE_VERSION } from '../../api/client-settings';
import { EngineConnection, isEngineAddress, warnEngine } from '../engine-watch';
import { Plugin } from './plugin';
import { startServer } from './provider-service';

const HELP = `pulumi-resource-edge-policy ${PACKAGE_VERSION}: the plugin of pulumi-edge-policy. Pulumi starts it by itself.

Usage: pulumi-resource-edge-policy [--version | --help | ADDRESS OF THE ENGINE]
To generate the library of a language, pass this file's path, not its folder or a name:
  pulumi package gen-sdk PATH/pulumi-resource-edge-policy --language python --local --out sdks
`;

/**
 * Serves the engine until the engine ends the process, or is gone itself.
 *
 * @param args The arguments of the process. The engine puts flags for its own log before its address.
 */
export async function main(args: readonly string[]): Promise<void> {
  const engineAddress = args.at(-1) ?? '';
  if (!isEngineAddress(engineAddress)) {
    // eslint-disable-next-line no-console -- a constant
    console.log(engineAddress === '--version' ? PACKAGE_VERSION : HELP.trimEnd());
    process.exitCode = ['--version', '--help'].includes(engineAddress) ? 0 : 2;
    return;
  }
  // It serves nobody else, and would go on sending.
  const engine = new EngineConnection(engineAddress, () => process.exit(1));
  const plugin = new Plugin(warnEngine(engineAddress), engine);
  const { port } = await startServer(plugin);
  // eslint-disable-next-line no-console -- a number, and the engine's protocol
  console.log(port);
}
