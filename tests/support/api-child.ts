import { inspect } from 'node:util';
import { ApiClient, type ClientSettings } from '../../provider/src/api/client';
import { systemClock } from '../../provider/src/api/clock';

// Makes requests in a process of its own, whose environment a test decides; see run-api-child.ts.
const [settings = '{}', times = '1'] = process.argv.slice(2);

const client = new ApiClient(JSON.parse(settings) as ClientSettings, {
  ...{ clock: systemClock, random: () => 0, warn: () => undefined },
});

const describe = (error: unknown): object => {
  if (!(error instanceof Error)) return { thrown: String(error) };
  const { name, message } = error;
  return Object.assign({}, error, {
    name,
    message,
    inspected: inspect(error, { depth: 20, showHidden: true }),
  });
};

const request = async (): Promise<object> => {
  try {
    return { value: await client.getTcpEdgeTrafficPolicyModule('edgtcp_1', client.startOperation()) };
  } catch (error) {
    return describe(error);
  }
};

const run = async (): Promise<void> => {
  const results: object[] = [];
  for (let round = 0; round < Number(times); round += 1) results.push(await request());
  client.close();
  process.stdout.write(JSON.stringify(results));
};

void run();
