// How lives are written by hand: nothing here is random.
import type { Life, RunStep, Step } from './life';
import type { NetworkFault, Weather } from './network/faults';
import {
  type Action,
  edges,
  type Network,
  type Part,
  policies,
  type Program,
  routes,
  type Rule,
  type TextName,
} from '../support/random-program/program';

export const [policyA, policyB] = policies;
export const [edgeA, edgeB] = edges;
export const [routeA] = routes;

type PartOf<Kind extends Part['kind']> = Extract<Part, { kind: Kind }>;
type Options<Kind extends Part['kind']> = Partial<Omit<PartOf<Kind>, 'kind' | 'name'>>;

const ruleThat =
  (action: Action) =>
  (network: Network, text: TextName = 'none'): Rule => ({ network, action, text });
export const allow = ruleThat('allow');
export const deny = ruleThat('deny');

export const rule = (name: string, policy: string, said: Rule, more?: Options<'rule'>): PartOf<'rule'> => ({
  ...{ kind: 'rule', name, policy, ...said, overwrites: false },
  ...more,
});

export const set = (
  name: string,
  policy: string,
  rules: readonly Rule[],
  more?: Options<'set'>,
): PartOf<'set'> => ({ kind: 'set', name, policy, rules, isExclusive: false, overwrites: false, ...more });

export const edge = (name: string, at: string, content: number, more?: Options<'edge'>): PartOf<'edge'> => ({
  ...{ kind: 'edge', name, edge: at, content, overwrites: false },
  ...more,
});

export const route = (
  name: string,
  at: string,
  content: number,
  more?: Options<'route'>,
): PartOf<'route'> => ({
  ...{ kind: 'route', name, route: at, content, overwrites: false },
  ...more,
});

export const overwrites = { overwrites: true };

export const program = (...parts: Program): Step => ({ do: 'program', program: parts });

/** A fault; by default it hits the first request of its method. */
export const fault = (
  method: NetworkFault['method'],
  kind: NetworkFault['kind'],
  more: Partial<NetworkFault> = {},
): NetworkFault => ({ method, kind, nth: 1, times: 1, ...more });

/** A call of the CLI; by default in good weather and with `--parallel 16`. */
export const run = (
  command: RunStep['do'],
  { seed = 1, latencyMs = 80, faults = [], ...more }: Partial<Weather & Omit<RunStep, 'do' | 'weather'>> = {},
): RunStep => ({ do: command, weather: { seed, latencyMs, faults }, parallel: 16, ...more });

/** A service and settings that differ from the defaults in the given values. */
export const life = (circumstances: Partial<Omit<Life, 'steps'>>, ...steps: readonly Step[]): Life => ({
  ...{ seed: 1, switches: {}, skewMs: 0, crowd: 0, settings: {} },
  ...circumstances,
  steps,
});
