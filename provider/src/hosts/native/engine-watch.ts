import { connect } from 'node:net';

const LOOK_EVERY_MS = 1000;

/**
 * Tells when the engine is gone: nothing else does. After a SIGKILL of the CLI its plugins live on, and its parent is a shell
 * that does so too. Nobody listens at the engine's address then.
 */
export function watchEngine(address: string, onGone: () => void): void {
  const { hostname, port } = new URL(`tcp://${address}`);
  const look = (): void => {
    const socket = connect({ host: hostname, port: Number(port) });
    const again = (): void => {
      socket.destroy();
      setTimeout(look, LOOK_EVERY_MS).unref();
    };
    socket.once('connect', again);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // Whatever else fails, such as a lack of sockets, says nothing of the engine.
      if (error.code === 'ECONNREFUSED') onGone();
      else again();
    });
  };
  look();
}
