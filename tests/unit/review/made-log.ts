import type { Traffic, TrafficLog } from '../../../review/src';

/** A client of a made-up log: a canonical network of one address, requests, and what it says it is. */
export interface MadeClient {
  readonly network: string;
  readonly requests?: number;
  readonly userAgent?: string | null;
  readonly firstSeen?: string;
  readonly lastSeen?: string | undefined;
}

/** A log of these clients, of which every line was read. */
export function logOf(clients: readonly MadeClient[], more: Partial<TrafficLog> = {}): TrafficLog {
  const agents = [
    ...new Set(clients.flatMap(({ userAgent }) => (userAgent === undefined ? [] : [userAgent]))),
  ];
  return {
    clients: {
      networks: clients.map(({ network }) => network),
      agents,
      agentOf: clients.map(({ userAgent }) => (userAgent === undefined ? -1 : agents.indexOf(userAgent))),
      requests: clients.map(({ requests = 1 }) => requests),
      firstSeenMs: clients.map(({ lastSeen, firstSeen = lastSeen }) =>
        firstSeen === undefined ? -1 : Date.parse(firstSeen),
      ),
      lastSeenMs: clients.map(({ lastSeen }) => (lastSeen === undefined ? -1 : Date.parse(lastSeen))),
    },
    files: [{ name: 'access.log', lines: clients.length, unreadable: 0 }],
    requestsBeyond: 0,
    ...more,
  };
}

/** The logs of a review. */
export const trafficOf = (...logs: readonly TrafficLog[]): Traffic => ({ logs, isAnonymised: false });
