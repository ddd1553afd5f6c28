// What for: the operations of the service: requests, retries, rate limits, paging, strict decoding, clean errors.
// Must not know: Pulumi, `resources`, `errors`, or what a caller makes of an answer.
import { IpPolicyRuleClient } from './ip-policy-rules';
import { type ModuleAddress, type ModuleEndpoint, moduleEndpoint } from './module-endpoint';

export type { RuleWriteListener, WrittenRule } from './ip-policy-rules';
export type { MaySend } from './request';
export type { ClientSettings } from './client-settings';

/**
 * The service (section 4): methods for rules, and the same three requests for every module. Every request takes a deadline,
 * repeats what may be repeated, and throws one of the errors of errors.ts. There is one client per process and account.
 */
export class ApiClient extends IpPolicyRuleClient {
  /** This client for an operation with a fixed time limit, which progress does not extend. */
  within(limitMs: number): ApiClient {
    const limit = this.finalDeadline(limitMs);
    return Object.assign(Object.create(this) as ApiClient, { startOperation: () => limit });
  }

  /** The requests about one module. */
  module<Live>(address: ModuleAddress<Live>): ModuleEndpoint<Live> {
    return moduleEndpoint((call, deadline) => this.ask(call, deadline), address);
  }
}
