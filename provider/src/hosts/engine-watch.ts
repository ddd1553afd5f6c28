import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { EngineLink } from '../run/run-members';

/** How long a host process may go on sending after its engine has ended, on a busy machine. */
export const STOPS_WITHIN_MS = 5_000;

const LOOPBACK_ADDRESS = /^(127\.0\.0\.1|\[::1\]):(\d{1,5})$/;

/** Whether a text is the address of an engine, in the form in which it passes it to the processes that it starts. */
export const isEngineAddress = (text: string): boolean => LOOPBACK_ADDRESS.test(text);

/** The engine's host for dynamic resources: it is started as `node <script> <address of the engine>`. */
const HOST_SCRIPT = /[\\/]cmd[\\/]dynamic-provider([\\/]|$)/;

/** The address of this process's engine; `undefined` in a process that merely imports the handler and is no host. */
export function engineAddress(argv: readonly string[]): string | undefined {
  const last = argv.at(-1) ?? '';
  return HOST_SCRIPT.test(argv[1] ?? '') && isEngineAddress(last) ? last : undefined;
}

/** Open as long as the engine runs, at whose port another may listen afterwards. The parent is a shell that survives. */
export class EngineConnection implements EngineLink {
  readonly port: number;
  private readonly session: http2.ClientHttp2Session;

  /** @param onEnd Called as soon as the engine has ended, or if it cannot be reached. */
  constructor(
    readonly address: string,
    onEnd: () => void = () => undefined,
  ) {
    this.port = Number(address.split(':').at(-1));
    this.session = http2.connect(`http://${address}`);
    this.session.unref();
    this.session.on('error', () => undefined);
    this.session.once('close', onEnd);
  }

  /** An engine that has died unseen does not answer. */
  async isAlive(): Promise<boolean> {
    try {
      // The engine's refusal is an answer, too. It would count pings, and close the connection after a few.
      const request = this.session.request({ ':method': 'POST', 'content-type': 'application/grpc' });
      request.resume().end();
      const answered = once(request, 'response').then(() => true);
      return await Promise.race([answered, once(request, 'close').then(() => false)]);
    } catch {
      return false;
    }
  }
}

const LONGEST_OPERATION_MS = 3_600_000;

/**
 * The host does not notice that the engine has ended: it would keep sending requests while an operator settles what the dead
 * run has left, and an idle host would stay forever. It exits late, as it also serves the dynamic resources of others.
 * @param stop Ends our own operations.
 */
export const sharedEngine = (address: string, stop: () => void): EngineConnection =>
  new EngineConnection(address, () => {
    stop();
    setTimeout(() => process.exit(1), LONGEST_OPERATION_MS).unref();
  });

/** Shows one line as a warning of a resource, or of the run, of the engine at an address. */
export function warnEngine(address: string): (line: string, urn?: string) => void {
  const client = new EngineClient(address, credentials.createInsecure());
  return (line, urn = '') => {
    // A lost warning has no consequences.
    const request = new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(line).setUrn(urn);
    client.log(request, () => undefined);
  };
}
