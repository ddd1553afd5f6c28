import fc from 'fast-check';
import type { Switches } from '../../../emulator/src/index';
import type { FaultSpec } from '../faults/fault-row';

/** The things that a program may declare; each has one place on the service. */
export type Slot = 'rule' | 'other-rule' | 'twin-rule' | 'policy' | 'filter';

/** One step of a random life, as data: a failing sequence is kept as it is printed. */
export type Step =
  /** The program declares the slot from now on, in one of a few ways. */
  | { readonly do: 'declare'; readonly slot: Slot; readonly variant: number }
  /** The same, and `up` right away. */
  | {
      readonly do: 'deploy';
      readonly slot: Slot;
      readonly variant: number;
      readonly faults: readonly Strike[];
    }
  | { readonly do: 'drop'; readonly slot: Slot }
  /** The program declares the slot under another name. */
  | { readonly do: 'rename'; readonly slot: Slot }
  | { readonly do: 'up' | 'refresh' | 'destroy'; readonly faults: readonly Strike[] }
  /** Somebody else changes or deletes the object. */
  | { readonly do: 'remote-edit'; readonly slot: Slot; readonly variant: number }
  | { readonly do: 'remote-delete'; readonly slot: Slot };

/** A fault, and which request of its kind it hits first. */
export interface Strike {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly kind: keyof typeof strikes;
  readonly nth: number;
  readonly times: number;
}

const html = '<html><body>Bad gateway</body></html>';

/** The faults of a random schedule. None of them lies: what the service says of itself is true. */
export const strikes = {
  reset: { kind: 'reset' },
  'reset though done': { kind: 'reset', when: 'after' },
  timeout: { kind: 'timeout' },
  'timeout though done': { kind: 'timeout', when: 'after' },
  500: { kind: 'status', status: 500 },
  '500 though done': { kind: 'status', status: 500, when: 'after' },
  '502 with HTML': { kind: 'status', status: 502, rawBody: html },
  'HTML though done': { kind: 'status', status: 200, rawBody: html, when: 'after' },
  '404 with HTML': { kind: 'status', status: 404, rawBody: html },
  429: { kind: 'status', status: 429, headers: { 'Retry-After': '2' } },
  403: { kind: 'status', status: 403 },
  cut: { kind: 'cut', framing: 'length' },
} as const satisfies Record<string, FaultSpec>;

const slot = fc.constantFrom<Slot>('rule', 'other-rule', 'twin-rule', 'policy', 'filter');
const variant = fc.nat({ max: 5 });

// A GET of a module that is answered like this means that there is none: see the limits in docs/reliability.md.
const isLie = ({ method, kind }: Strike): boolean => method === 'GET' && kind === '404 with HTML';

const anyStrike: fc.Arbitrary<Strike> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  kind: fc.constantFrom(...(Object.keys(strikes) as (keyof typeof strikes)[])),
  nth: fc.constantFrom(1, 1, 1, 2, 3),
  times: fc.constantFrom(1, 1, 2, 5, 50),
});

const strike = anyStrike.filter((it) => !isLie(it));
const faults = fc.array(strike, { minLength: 1, maxLength: 3 });

const run = (it: 'up' | 'refresh' | 'destroy'): fc.Arbitrary<Step> =>
  fc.record({ do: fc.constant(it), faults });

/** One random step; changes that are deployed are the most common. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deploy' as const), slot, variant, faults }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('declare' as const), slot, variant }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), slot }) },
  { weight: 3, arbitrary: run('up') },
  { weight: 2, arbitrary: run('refresh') },
  { weight: 1, arbitrary: run('destroy') },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remote-edit' as const), slot, variant }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remote-delete' as const), slot }) },
);

/** A position of the service in the questions that matter here. */
export const position: fc.Arbitrary<Partial<Switches>> = fc.record({
  duplicateCidr: fc.constantFrom('400', '409', 'accepted'),
  missingModuleOnGet: fc.constantFrom('404', 'null', 'empty-object'),
  missingModuleOnDelete: fc.constantFrom('404', '204'),
  missingRule: fc.constantFrom('error-body', 'error-body-without-code', 'empty'),
  unsetText: fc.constantFrom('absent', 'empty', 'null'),
  policyValue: fc.constantFrom('verbatim', 'reserialised'),
  listOrder: fc.constantFrom('newest-first', 'oldest-first'),
  listLagMs: fc.constantFrom(0, 0, 3_000, 10_000),
  pageSize: fc.constantFrom(1, 2, 100),
  timestamps: fc.constantFrom('whole-seconds', 'fraction', 'offset'),
});

/** What the program declares at first, and has deployed before anything goes wrong. */
export const beginning: fc.Arbitrary<readonly Step[]> = fc
  .uniqueArray(fc.record({ do: fc.constant('declare' as const), slot, variant }), {
    selector: (it) => it.slot,
  })
  .map((declared) => [...declared, { do: 'up' as const, faults: [] }]);
