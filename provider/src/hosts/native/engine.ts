import { credentials } from '@grpc/grpc-js';
import { EngineClient } from '@pulumi/pulumi/proto/engine_grpc_pb';
import { LogRequest, LogSeverity } from '@pulumi/pulumi/proto/engine_pb';

/** The engine that a plugin serves. */
export class Engine {
  private client: EngineClient | undefined;

  /** Serves the engine at this address from now on: a running plugin may be attached to several engines, one after the other. */
  attach(address: string): void {
    this.client?.close();
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Shows one line as a warning of the run. */
  readonly warn = (line: string): void => {
    const request = new LogRequest().setSeverity(LogSeverity.WARNING).setMessage(line);
    // A lost warning has no consequences.
    this.client?.log(request, () => undefined);
  };
}
