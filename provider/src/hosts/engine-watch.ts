import net from 'node:net';

const PROBE_EVERY_MS = 1_000;

/** A single refusal may come from a busy machine; a dead engine refuses forever. */
const REFUSALS = 3;

/** How long a host process may outlive its engine: its probes, and a margin for a busy machine. */
export const STOPS_WITHIN_MS = 5_000;

const LOOPBACK_ADDRESS = /^(127\.0\.0\.1|\[::1\]):(\d{1,5})$/;

/** The address of an engine, in the form in which it passes it to the processes that it starts. */
export function parseEngineAddress(text: string): net.TcpNetConnectOpts | undefined {
  const [, host, port] = LOOPBACK_ADDRESS.exec(text) ?? [];
  return host === undefined ? undefined : { host: host.replace(/[[\]]/g, ''), port: Number(port) };
}

/** The engine's host for dynamic resources: it is started as `node <script> <address of the engine>`. */
const HOST_SCRIPT = /[\\/]cmd[\\/]dynamic-provider([\\/]|$)/;

/** The address of this process's engine; `undefined` in a process that merely imports the handler and is no host. */
export const engineAddress = (argv: readonly string[]): net.TcpNetConnectOpts | undefined =>
  HOST_SCRIPT.test(argv[1] ?? '') ? parseEngineAddress(argv.at(-1) ?? '') : undefined;

/**
 * Ends this process soon after its engine has died. A host does not notice that by itself: it would go on sending requests
 * until their deadlines, while an operator settles what the dead run has left behind, and idle it would stay forever. The
 * parent process does not show it, as it is a shell that survives too, but nothing listens at the engine's address any more.
 */
export function stopWithEngine(address: net.TcpNetConnectOpts | undefined): void {
  if (address === undefined) return;
  let refusals = 0;
  setInterval(() => {
    probe(address, (isRefused) => {
      refusals = isRefused ? refusals + 1 : 0;
      // Nobody waits for an answer any more: work under way ends here, and nothing new is sent.
      if (refusals >= REFUSALS) process.exit(1);
    });
  }, PROBE_EVERY_MS).unref();
}

/** Only a refusal proves that the engine is gone: a machine that is out of sockets or time says nothing about it. */
function probe(address: net.TcpNetConnectOpts, tell: (isRefused: boolean) => void): void {
  const socket = net.connect(address);
  socket.unref();
  socket.once('connect', () => {
    tell(false);
    socket.destroy();
  });
  socket.once('error', (error: NodeJS.ErrnoException) => {
    tell(error.code === 'ECONNREFUSED');
  });
}
