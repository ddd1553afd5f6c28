import type { RequestBody } from '../fields/bodies';
import { json, nothing } from './read-answer';
import type { Call } from './call';
import type { Deadline } from './deadline';
import { orNone } from './decode';
import type { MaySend } from './request';

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
export const moduleEndpoint = <Live>(
  ask: <T>(call: Call<T>, deadline: Deadline) => Promise<T>,
  { path, decode }: ModuleAddress<Live>,
): ModuleEndpoint<Live> => ({
  get: (deadline) => ask({ method: 'GET', path, successStatus: 200, read: json(orNone(decode)) }, deadline),
  replace: (body, deadline) =>
    ask({ method: 'PUT', path, body, successStatus: 200, read: json(decode) }, deadline),
  delete: (deadline, maySend) =>
    ask({ method: 'DELETE', path, successStatus: 204, read: nothing, maySend }, deadline),
});
