import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';

/** The engine that a plugin serves. */
export class Engine {
  private client: EngineClient | undefined;

  /** Serves the engine at this address from now on: a plugin that runs already may be attached to several, one by one. */
  attach(address: string): void {
    this.client?.close();
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Shows one line as a warning of the run. */
  readonly warn = (line: string): void => {
    const request = new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(line);
    // Nothing depends on a warning.
    this.client?.log(request, () => undefined);
  };
}
