// What for: faults: which requests one hits, when, and how it spoils the answer.
// Must not know: rules and modules: it sees requests and JSON.
/** The requests that a fault or a hold applies to. An absent part matches everything. */
export interface RequestTarget {
  readonly method?: string | undefined;
  /** Without base path and query; `{anything}` in it matches one segment: `/ip_policy_rules/{id}`. */
  readonly path?: string | undefined;
  /** The first matching request to hit, counted from 1 since the fault was set; defaults to 1. */
  readonly nth?: number | undefined;
}

export type Json = unknown;

/** Responds in place of the service: before it does its work, so that it never sees the request, or after. */
export type ReplacingFault =
  | { readonly kind: 'reset' }
  /** The connection ends in order, without an answer. */
  | { readonly kind: 'close' }
  /** No answer at all; the connection stays open until the client or the emulator ends it. */
  | { readonly kind: 'timeout' }
  | StatusFault;

/** A custom response. Without `body` and `rawBody`: an error body from status 400 on, otherwise none. */
export interface StatusFault {
  readonly kind: 'status';
  readonly status: number;
  /** Sent as JSON: `null`, `[]` and `"text"` are JSON too. */
  readonly body?: Json;
  /** Sent as it is; `contentType` sets its type. */
  readonly rawBody?: string;
  readonly contentType?: string;
  /** An array sends the header several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Repeats the body of the request in the message, as some services do. */
  readonly echo?: boolean;
}

/** Lets the service do its work, then spoils its response. */
export type SpoilingFault =
  /** Ends the connection inside the body, whose end was announced by a length, by chunks, or by the end of the connection. */
  | { readonly kind: 'cut'; readonly framing: 'length' | 'chunked' | 'close'; readonly bytes?: number }
  | MutateFault
  /** The whole answer, a few bytes per interval. */
  | { readonly kind: 'drip'; readonly bytes?: number; readonly intervalMs?: number }
  /** The valid JSON of the answer with a very long field in front; `gzip` compresses it to a thousandth. */
  | { readonly kind: 'huge-body'; readonly sizeBytes?: number; readonly gzip?: boolean };

/** Changes the response. Paths are JSON pointers: `/ip_policy/id`. */
export interface MutateFault {
  readonly kind: 'mutate';
  /** Own properties even for names such as `__proto__`, whose pointer is `/__proto__`. */
  readonly set?: Readonly<Record<string, Json>>;
  readonly remove?: readonly string[];
  readonly status?: number;
  /** In addition to those of the response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For programs only: the control plane takes data. */
  readonly mutate?: (body: Json) => Json;
}

export type FaultKind = (ReplacingFault | SpoilingFault)['kind'];

/** One fault of the service or of the way to it. Everything but `mutate` can be written as JSON. */
export type Fault = RequestTarget & {
  /** How many matching requests in a row are hit; defaults to 1, and `always` hits all that follow. */
  readonly times?: number | 'always' | undefined;
  /**
   * Whether the service does its work first. Replacing kinds default to `before`; spoiling kinds need the real response and
   * are always `after`.
   */
  readonly when?: 'before' | 'after' | undefined;
} & (ReplacingFault | SpoilingFault);

/** Whether a fault of each kind answers in place of the service. */
const IS_REPLACING: Readonly<Record<FaultKind, boolean>> = {
  ...{ reset: true, close: true, timeout: true, status: true },
  ...{ cut: false, mutate: false, drip: false, 'huge-body': false },
};

export function isReplacing<F extends { kind: FaultKind }>(fault: F): fault is F & ReplacingFault {
  return IS_REPLACING[fault.kind];
}

/** @throws RangeError for a fault that is none, as data from another process may be. */
export function requireFault(fault: Fault): void {
  if (!Object.hasOwn(IS_REPLACING, fault.kind))
    throw new RangeError(`a fault is of one of the kinds ${Object.keys(IS_REPLACING).join(', ')}`);
  if (fault.kind === 'status' && !(fault.status >= 200 && fault.status <= 999))
    throw new RangeError('a fault of the kind status has a status from 200 to 999');
  const paths = fault.kind === 'mutate' ? [...Object.keys(fault.set ?? {}), ...(fault.remove ?? [])] : [];
  const odd = paths.find((path) => path !== '' && !path.startsWith('/'));
  if (odd !== undefined) throw new RangeError(`${odd} is not a JSON pointer, such as /ip_policy/id`);
  if (fault.when === 'before' && !isReplacing(fault))
    throw new RangeError(`fault ${fault.kind} changes the real response, so its "when" must be "after"`);
}
