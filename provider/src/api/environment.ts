import { type Clock, systemClock } from './clock';
import type { ClientSettings } from './client-settings';
import { type Carrier, Transport } from './transport';

/** What a client takes from where it runs; tests bring their own. */
export interface ClientEnvironment {
  readonly clock: Clock;
  readonly random: () => number;
  /** Shows one line to the user. */
  readonly warn: (line: string) => void;
  /** How requests reach the service: over HTTP unless given. */
  readonly connect?: (settings: ClientSettings) => Carrier;
}

/** The clock, chance and console of this process. */
export const systemEnvironment: ClientEnvironment = {
  clock: systemClock,
  random: Math.random,
  warn: (line) => {
    // eslint-disable-next-line no-console -- our own words and numbers; texts of the service are cleaned in redact.ts
    console.warn(line);
  },
};

/** How requests reach the service, unless the environment brings another way. */
export const overHttp = (settings: ClientSettings): Carrier => new Transport(settings);

// Shorter pauses are over before anybody wonders.
const LONG_PAUSE_MS = 5000;

/** Says once per process why nothing seems to happen. */
export function pauseNotice({ clock, warn }: ClientEnvironment): (resumesAt: number) => void {
  let wasSaid = false;
  return (resumesAt) => {
    if (wasSaid || resumesAt - clock.epochMs() < LONG_PAUSE_MS) return;
    wasSaid = true;
    warn(`The service limits the rate of requests: waiting until ${new Date(resumesAt).toISOString()}`);
  };
}
