/** What may happen to a request on its way, or in the service. */
export const faultKinds = [
  'refused',
  'reset',
  'reset though done',
  'silence',
  'silence though done',
  '500',
  '500 though done',
  '502 with HTML',
  '503',
  'HTML though done',
  'nothing though done',
  'cut',
  '404 with HTML',
  '429',
  '403',
  'doubled',
  'late',
  'slow',
] as const;

/** `trimmed`: the service stores texts without their last character. */
export type FaultKind = (typeof faultKinds)[number] | 'trimmed';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Hits requests of one method: those from the `nth` on, `times` of them. `LIST` is the GET of the list. */
export interface NetworkFault {
  readonly method: Method | 'LIST';
  readonly kind: FaultKind;
  readonly nth: number;
  readonly times: number;
}

/** Delays, and what goes wrong, during one call of the CLI. */
export interface Weather {
  /** Random numbers of this call, for all delays. */
  readonly seed: number;
  /** The longest delay of one way. */
  readonly latencyMs: number;
  readonly faults: readonly NetworkFault[];
}

export const goodWeather = (seed: number): Weather => ({ seed, latencyMs: 80, faults: [] });

/** Counts the requests of one call and says what hits each. */
export class FaultPlan {
  private readonly counts = new Map<string, number>();

  constructor(private readonly faults: readonly NetworkFault[]) {}

  take(method: string, target: string): FaultKind | undefined {
    const name = method === 'GET' && /^\/ip_policy_rules(\?|$)/.test(target) ? 'LIST' : method;
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, count);
    return this.faults.find(
      (fault) => fault.method === name && count >= fault.nth && count < fault.nth + fault.times,
    )?.kind;
  }
}

/**
 * Excluded are lies, which no client can detect: a GET of a module that a proxy answers with 404 means that there is none (see
 * the limits in docs/reliability.md); and nobody knows of a create that is carried out twice. Only a create may come late, as a
 * delayed PUT or DELETE overtakes what the next run writes.
 */
export const isFair = ({ method, kind }: NetworkFault, duplicates: string): boolean => {
  if (kind === '404 with HTML') return method !== 'GET';
  if (kind === 'doubled') return method !== 'POST' || duplicates !== 'accepted';
  return kind !== 'late' || method === 'POST';
};
