import type { Switches } from '../../emulator/src/index';
import type { ClientSettings } from '../../provider/src/api/client-settings';
import type { Weather } from './network/strike';
import type { InputOf } from './program/declarations';
import type { Program } from './program/program';

/** How a call of the CLI comes to a bad end, at the moment of its nth event on the network. */
export interface Death {
  readonly of: 'cli' | 'plugin' | 'both' | 'interrupt';
  readonly atEvent: number;
  /** How long the plugin outlives its CLI. */
  readonly lingerMs: number;
  /** What the operator does then. */
  readonly then: 'recover' | 'nothing';
}

/** What others do to the account: they make a rule of theirs, or harm what they find at a place (`placesOf`). */
export type Deed =
  { readonly kind: 'add' } | { readonly kind: 'edit' | 'move' | 'delete'; readonly place: string };

/** A call of the CLI. */
export interface RunStep {
  readonly do: 'up' | 'refresh' | 'destroy';
  readonly weather: Weather;
  readonly parallel: number;
  /** `--target`: the name of a resource. */
  readonly target?: string;
  /** `--replace`: the name of a resource. */
  readonly replace?: string;
  /** `--refresh`, with `--run-program` too where each resource is read as it is registered. */
  readonly refresh?: 'before' | 'as registered';
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
  /** How much time may pass between two registrations; 30 ms unless given. */
  readonly apartMs?: number;
  readonly death?: Death;
  /** Others use up the rate limit for so long. */
  readonly crowdMs?: number;
  /** The program also looks up all rules of each policy (`IpPolicyRuleSet.get`). */
  readonly looksUpPolicies?: boolean;
  /** Nothing goes wrong but that it takes long: the run must not fail for want of time, nor send more than it needs. */
  readonly isUnhindered?: boolean;
}

/** One step of a life, as data that says all: a failing life is kept as it is printed, and reads no list that may grow. */
export type Step =
  | RunStep
  | { readonly do: 'program'; readonly program: Program }
  /** A preview in which a value of one resource is not known yet. */
  | { readonly do: 'preview'; readonly unknown: InputOf }
  | { readonly do: 'settings'; readonly settings: Partial<ClientSettings> }
  | { readonly do: 'others'; readonly deed: Deed }
  | { readonly do: 'wait'; readonly ms: number };

/** A stack from its first `up` to its destroy. */
export interface Life {
  readonly seed: number;
  readonly switches: Partial<Switches>;
  /** How far the clock of the service is ahead of ours. */
  readonly skewMs: number;
  /** For so long the service does not know a new rule by its id. */
  readonly unknownForMs?: number;
  /** When, after the life began, somebody sets our clock to that of the service. */
  readonly clockSetAtMs?: number;
  /** Rules of others that make the list long. */
  readonly crowd: number;
  readonly settings: Partial<ClientSettings>;
  readonly steps: readonly Step[];
}
