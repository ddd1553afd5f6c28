import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';
import { watchEngine } from './engine-watch';

/** The engine that a plugin serves; it may change when a plugin that runs already is attached to another. */
export class Engine {
  #client: EngineClient | undefined;

  /** @param onGone Called when nobody listens at the engine's address any more. */
  constructor(private readonly onGone: () => void) {}

  attach(address: string): void {
    this.#client = new EngineClient(address, credentials.createInsecure());
    watchEngine(address, this.onGone);
  }

  /** Shows one line as a warning of the run. */
  readonly warn = (line: string): void => {
    const request = new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(line);
    // Nothing depends on a warning.
    this.#client?.log(request, () => undefined);
  };
}
