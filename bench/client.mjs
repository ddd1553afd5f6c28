import { execFile } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import axios from 'axios';
import { checkout } from '../tools/setup/paths.mjs';
import { atMost } from './figure.mjs';
import { inTurns, medianRatio, timed } from './in-turns.mjs';
import { CONCURRENCY } from './pulumi-project.mjs';

const COUNT = 10_000;
const BOUND = 1.2;

const ruleOf = (index) => ({
  cidr: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
  action: 'allow',
  ipPolicyId: 'ipp_1',
});

/** Sends everything, this many requests at once. */
const pool = async (send) => {
  let next = 0;
  const worker = async () => {
    while (next < COUNT) await send(ruleOf((next += 1)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
};

/** Ten thousand creates with axios as people usually write it, in this process. */
export const bareAxios = ({ url, apiKey }) =>
  timed(async () => {
    const httpAgent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });
    const library = axios.create({
      ...{ baseURL: url, httpAgent, maxRedirects: 0, proxy: false, timeout: 30_000 },
      headers: { Authorization: `Bearer ${apiKey}`, 'Service-Version': '2' },
    });
    await pool(({ ipPolicyId, ...rule }) =>
      library.post('/ip_policy_rules', { ...rule, ip_policy_id: ipPolicyId }),
    );
    httpAgent.destroy();
  });

/** In a new process, like a plugin in each run: no code is compiled and warm. */
export const bareAxiosApart = async (service) => {
  const script = `
    import { bareAxios } from './client.mjs';
    console.log(JSON.stringify(await bareAxios(${JSON.stringify(service)})));`;
  const options = { cwd: import.meta.dirname };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', script],
    options,
  );
  return JSON.parse(stdout);
};

const loadClient = () => import(path.join(checkout, 'provider', 'dist', 'api', 'client.js'));

const ownClient = async ({ url: baseUrl, apiKey }) => {
  const { ApiClient } = await loadClient();
  return timed(async () => {
    const client = new ApiClient({
      ...{ apiKey, baseUrl, versionHeader: 'Service-Version', version: '2' },
      ...{
        maxConcurrency: CONCURRENCY,
        requestTimeoutMs: 30_000,
        operationTimeoutMs: 300_000,
        maxAttempts: 4,
      },
    });
    await pool((rule) => client.createIpPolicyRule(rule, client.startOperation()));
    client.close();
  });
};

/** The client without the engine, compared with axios alone, against a service whose own cost hides nothing. */
export const measureClient = async ({ quickService, rounds }) => {
  const costs = await inTurns(
    { bare: () => bareAxios(quickService), own: () => ownClient(quickService) },
    rounds,
  );
  const name = `the client alone: ${COUNT.toLocaleString('en')} creates, times (e)`;
  return [
    atMost(
      `${name}, time`,
      medianRatio(costs, ({ bare, own }) => own.wallMs / bare.wallMs),
      BOUND,
    ),
    atMost(
      `${name}, processor`,
      medianRatio(costs, ({ bare, own }) => own.cpuMs / bare.cpuMs),
      BOUND,
    ),
  ];
};
