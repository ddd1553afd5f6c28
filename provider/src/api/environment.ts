import { type Clock, systemClock } from './clock';
import type { ClientSettings } from './client-settings';
import { type Carrier, Transport } from './transport';

/** The surroundings of a client; tests inject their own. */
export interface ClientEnvironment {
  readonly clock: Clock;
  readonly random: () => number;
  /** Shows one line to the user. */
  readonly warn: (line: string) => void;
  /** Carries requests to the service; over HTTP unless given. */
  readonly connect?: (settings: ClientSettings) => Carrier;
}

/** The clock, random numbers and console of this process. */
export const systemEnvironment: ClientEnvironment = {
  clock: systemClock,
  random: Math.random,
  warn: (line) => {
    // eslint-disable-next-line no-console -- our own words and numbers; texts of the service are cleaned in redact.ts
    console.warn(line);
  },
};

/** Carries requests to the service, unless the environment brings its own way. */
export const overHttp = (settings: ClientSettings): Carrier => new Transport(settings);

// Shorter pauses are not worth a message.
const LONG_PAUSE_MS = 5000;

/** Tells the user, once per process, why nothing seems to happen. */
export function pauseNotice({ clock, warn }: ClientEnvironment): (resumesAt: number) => void {
  let wasSaid = false;
  return (resumesAt) => {
    if (wasSaid || resumesAt - clock.epochMs() < LONG_PAUSE_MS) return;
    wasSaid = true;
    warn(`The service is rate limiting requests: waiting until ${new Date(resumesAt).toISOString()}`);
  };
}
