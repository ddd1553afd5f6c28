import type { TcpNetConnectOpts } from 'node:net';
import { parseEngineAddress } from '../engine-watch';

/** The engine's host for dynamic resources: it is started as `node <script> <address of the engine>`. */
const HOST_SCRIPT = /[\\/]cmd[\\/]dynamic-provider([\\/]|$)/;

/** Where the engine of this process listens; `undefined` in a process that merely imports the handler and is no host. */
export const engineAddress = (argv: readonly string[]): TcpNetConnectOpts | undefined =>
  HOST_SCRIPT.test(argv[1] ?? '') ? parseEngineAddress(argv.at(-1) ?? '') : undefined;
