import { type ModuleName, moduleNames } from '../../../emulator/src/routes/modules';

/** What the tests of a kind of module need to know. A new kind is an entry. */
interface ModuleSample {
  readonly id: string;
  readonly path: string;
  /** The path with the identifier of something else. */
  readonly unknownParent: string;
  readonly module: object;
  /** The least that a PUT has to send, and what it sets. */
  readonly shortest: readonly [sent: object, stored: object];
}

const samples: Readonly<Record<ModuleName, ModuleSample>> = {
  tcpModules: {
    id: 'edgtcp_1',
    path: '/edges/tcp/edgtcp_1/traffic_policy',
    unknownParent: '/edges/tcp/edghts_1/traffic_policy',
    module: {
      enabled: false,
      value: '{"inbound": [{"name":"x","expressions":[],"actions":[{"type":"deny"}]}]}',
    },
    shortest: [{ value: '{}' }, { enabled: true, value: '{}' }],
  },
  httpsModules: {
    id: 'edghts_1/edghtsrt_1',
    path: '/edges/https/edghts_1/routes/edghtsrt_1/user_agent_filter',
    unknownParent: '/edges/https/edghts_1/routes/edgtcp_1/user_agent_filter',
    module: { enabled: false, allow: ['(?i)^curl/'], deny: ['bot', 'crawler'] },
    shortest: [{}, { enabled: true, allow: [], deny: [] }],
  },
};

/** Every kind, with what its tests need. */
export const moduleSamples = moduleNames.map((name) => ({ name, ...samples[name] }));
