// What for: the operations of the service: requests, retries, rate limits, paging, strict decoding, clean errors.
// Must not know: Pulumi, `resources`, `errors`, or what a caller makes of an answer.
import type { RequestBody } from '../fields/bodies';
import type { Call, MaySend } from './call';
import type { Deadline } from './deadline';
import { orNone } from './decode';
import { IpPolicyRuleClient } from './ip-policy-rules';
import { json, nothing } from './read-answer';

export type { RuleWriteListener, WrittenRule } from './ip-policy-rules';
export type { MaySend } from './call';
export type { ClientSettings } from './client-settings';

/** The three requests about one module (sections 4.2 and 4.3). */
export interface ModuleEndpoint<Live> {
  /** `GET`; undefined if the service answers 200 and says that there is none. */
  get(deadline: Deadline): Promise<Live | undefined>;
  /** `PUT` with all fields. */
  replace(body: RequestBody, deadline: Deadline): Promise<Live>;
  /** `DELETE`. */
  delete(deadline: Deadline, maySend?: MaySend): Promise<void>;
}

/** The path of a module, and how its answers are read. */
export interface ModuleAddress<Live> {
  readonly path: string;
  readonly decode: (value: unknown) => Live;
}

/** The requests about the module at an address. */
const moduleEndpoint = <Live>(
  ask: <T>(call: Call<T>, deadline: Deadline) => Promise<T>,
  { path, decode }: ModuleAddress<Live>,
): ModuleEndpoint<Live> => ({
  get: (deadline) => ask({ method: 'GET', path, successStatus: 200, read: json(orNone(decode)) }, deadline),
  replace: (body, deadline) =>
    ask({ method: 'PUT', path, body, successStatus: 200, read: json(decode) }, deadline),
  delete: (deadline, maySend) =>
    ask({ method: 'DELETE', path, successStatus: 204, read: nothing, maySend }, deadline),
});

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
