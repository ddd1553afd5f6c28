import { trafficPolicyOf } from './modules';
import { inspect } from 'node:util';
import { ApiClient, type ClientSettings } from '../../provider/src/api/client';
import { systemClock } from '../../provider/src/api/clock';
import { Transport } from '../../provider/src/api/transport';

// Makes requests in a separate process, whose environment a test decides; see run-api-child.ts.
const [settings = '{}', times = '1', mode = 'reads'] = process.argv.slice(2);

const clientSettings = JSON.parse(settings) as ClientSettings;
const environment = { clock: systemClock, random: () => 0, warn: () => undefined };
const client = new ApiClient(clientSettings, environment);

const describe = (error: unknown): object => {
  if (!(error instanceof Error)) return { thrown: String(error) };
  const { name, message } = error;
  const inspected = inspect(error, { depth: 20, showHidden: true });
  return Object.assign({}, error, { name, message, inspected });
};

const answerOf = async (request: Promise<unknown>): Promise<object> => {
  try {
    return { value: await request };
  } catch (error) {
    return describe(error);
  }
};

const read = (): Promise<object> => answerOf(trafficPolicyOf(client).get(client.startOperation()));

const bodyOf = (index: number) =>
  ({ cidr: `10.0.0.${index}/32`, ipPolicyId: 'ipp_1', action: 'allow' }) as const;

const create = (index: number): Promise<object> =>
  answerOf(client.createIpPolicyRule(bodyOf(index), client.startOperation()));

const transport = new Transport(clientSettings);

/** One attempt, which bypasses the client's own limit of simultaneous requests. */
const attempt = (index: number): Promise<object> => {
  const { signal } = new AbortController();
  return transport.send({ method: 'POST', target: '/ip_policy_rules', body: bodyOf(index), signal });
};

/** The first attempts open all possible connections; the others queue for these. */
const attempts = async (rounds: readonly number[]): Promise<readonly object[]> => {
  const first = await Promise.all(rounds.slice(0, clientSettings.maxConcurrency).map(attempt));
  return [...first, ...(await Promise.all(rounds.slice(first.length).map(attempt)))];
};

const reads = async (rounds: readonly number[]): Promise<readonly object[]> => {
  const answers: object[] = [];
  for (const _ of rounds) answers.push(await read());
  return answers;
};
const creates = (rounds: readonly number[]): Promise<readonly object[]> => Promise.all(rounds.map(create));
const modes = { reads, creates, attempts };

const run = async (): Promise<void> => {
  const results = await modes[mode as keyof typeof modes]([...Array(Number(times)).keys()]);
  client.close();
  transport.close();
  process.stdout.write(JSON.stringify(results));
};

void run();
