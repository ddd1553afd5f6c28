import type { Switches } from '../../emulator/src/index';
import type { ClientSettings } from '../../provider/src/api/client-settings';
import type { Weather } from './network/faults';
import type { InputOf } from '../support/random-program/declarations';
import type { Program } from '../support/random-program/program';

/** How a call of the CLI is killed, at its nth event on the network. */
export interface Death {
  readonly of: 'cli' | 'plugin' | 'both' | 'interrupt';
  readonly atEvent: number;
  /** How long the plugin outlives its CLI. */
  readonly lingerMs: number;
  /** What the operator does after that. */
  readonly then: 'recover' | 'nothing';
}

/** What others do to the account: they create a rule of their own, or harm what they find at a place (`placesOf`). */
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
  /** `--refresh`; with `--run-program`, each resource is read as it is registered. */
  readonly refresh?: 'before' | 'as registered';
  /** `--continue-on-error` */
  readonly continuesOnError?: boolean;
  /** Its processes find no folder that is safe from others, and cannot reach each other. */
  readonly hasNoFolder?: boolean;
  /** How much time may pass between two registrations; defaults to 30 ms. */
  readonly apartMs?: number;
  readonly death?: Death;
  /** How long others use up the rate limit. */
  readonly crowdMs?: number;
  /** How many of their own rules others delete meanwhile. */
  readonly leaving?: number;
  /** Nothing goes wrong but that others use up the limit: the run must not fail for lack of time. */
  readonly isUnhindered?: boolean;
}

/** One step of a life as complete data: a failing life is stored as it is printed, and depends on no list that may grow. */
export type Step =
  | RunStep
  | { readonly do: 'program'; readonly program: Program }
  /** A preview in which a value of one resource is unknown. */
  | { readonly do: 'preview'; readonly unknown: InputOf }
  /** The state gets a second entry for a resource, under another name: somebody has edited it, or imported the resource again. */
  | { readonly do: 'duplicate'; readonly name: string }
  | { readonly do: 'settings'; readonly settings: Partial<ClientSettings> }
  | { readonly do: 'others'; readonly deed: Deed }
  | { readonly do: 'wait'; readonly ms: number };

/** A stack from its first `up` to its destroy. */
export interface Life {
  readonly seed: number;
  readonly switches: Partial<Switches>;
  /** How far the clock of the service is ahead of ours. */
  readonly skewMs: number;
  /** How long the service does not know a new rule by its id. */
  readonly unknownForMs?: number;
  /** When, after the beginning of the life, our clock is set to that of the service. */
  readonly clockSetAtMs?: number;
  /** Rules of others that make the list long. */
  readonly crowd: number;
  readonly settings: Partial<ClientSettings>;
  readonly steps: readonly Step[];
}
