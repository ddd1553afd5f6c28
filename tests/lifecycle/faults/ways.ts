import { userAgentFilterOf } from '../../support/modules';
import { Transport } from '../../../provider/src/api/transport';
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import type { Host } from '../../../provider/src/resources/provider-reference';
import { createSelfSigned } from '../../support/certificate';
import { type silence, startConnectProxy } from '../../support/connect-proxy';
import { type HostProcess, type Scene, startScene } from '../../support/host';
import { httpsEdgeId, otherRouteId } from '../../support/ids';
import { type HandshakeEnd, startTlsGate } from '../../support/tls-gate';
import { trust } from '../../support/trust';

/** How requests reach the service: in clear, over TLS, or over TLS in a tunnel of a proxy. */
export type WayName = 'http' | 'https' | 'proxy';

/** What keeps a connection from being established. */
export type Obstacle =
  | { readonly at: 'handshake'; readonly how: HandshakeEnd }
  | { readonly at: 'tunnel'; readonly answer: string | typeof silence };

/** An obstacle in place. */
export interface Blocked {
  /** What leads a client there. */
  readonly settings: Partial<ClientSettings>;
  readonly hits: () => number;
}

/** A service and the way to it. */
export interface Way {
  readonly name: WayName;
  readonly scene: Scene;
  /** Opens the way for one test; with these settings a process takes it. */
  open(): Promise<Partial<ClientSettings>>;
  newProcess(settings: Partial<ClientSettings>): HostProcess;
  /** Puts an obstacle in the way of the first so many connections. */
  block(obstacle: Obstacle, times: number): Promise<Blocked>;
}

/** Starts a service that lives as long as the test file. */
export async function startWay(name: WayName, host: Host): Promise<Way> {
  if (name === 'http') {
    const scene = await startScene({ lifetime: 'file' });
    return {
      ...{ name, scene },
      open: () => Promise.resolve({}),
      newProcess: (settings) => scene.newProcess(settings, { host }),
      block: () => Promise.reject(new Error('nothing stands in the way of a plain connection')),
    };
  }
  const certificate = createSelfSigned();
  trust(certificate.cert, 'file');
  const scene = await startScene({ lifetime: 'file', tls: certificate });
  return { name, scene, ...overTls(name, scene, host) };
}

function overTls(
  name: 'https' | 'proxy',
  scene: Scene,
  host: Host,
): Pick<Way, 'open' | 'newProcess' | 'block'> {
  return {
    open: async () => (name === 'proxy' ? { proxy: (await startConnectProxy()).url } : {}),
    newProcess: (settings) => scene.newProcess(settings, { connect: oneSocket, host }),
    async block(obstacle, times) {
      if (obstacle.at === 'handshake') {
        const gate = await startTlsGate(portOf(scene), { how: obstacle.how, times });
        return { settings: { baseUrl: `https://127.0.0.1:${gate.port}` }, hits: gate.connections };
      }
      const proxy = await startConnectProxy((nth) => (nth <= times ? obstacle.answer : undefined));
      return { settings: { proxy: proxy.url }, hits: () => proxy.tunnels.length };
    },
  };
}

const portOf = ({ emulator }: Scene): number => Number(new URL(emulator.url).port);

/** All requests of a process share one connection: what is under way at the same time queues for it. */
const oneSocket = (settings: ClientSettings): Transport => new Transport({ ...settings, maxConcurrency: 1 });

const neighbours = 3;
const readsOfEach = 4;

/**
 * Reads that keep the connection of a process busy while an operation uses it. The first one has established it when the
 * promise resolves; the others end by themselves.
 */
export async function makeBusy({ client }: HostProcess): Promise<void> {
  const filter = userAgentFilterOf(client, `${httpsEdgeId}/${otherRouteId}`);
  const read = async (): Promise<void> => {
    // The service says that there is no such filter.
    await filter.get(client.startOperation()).catch(() => undefined);
  };
  const readOn = async (): Promise<void> => {
    for (let count = 0; count < readsOfEach; count += 1) await read();
  };
  await read();
  for (let count = 0; count < neighbours; count += 1) void readOn();
}

/** Whether a request is one of those. */
export const isOfNeighbour = ({ path }: { readonly path: string }): boolean => path.includes(otherRouteId);
