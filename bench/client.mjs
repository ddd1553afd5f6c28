// `node bench/client.mjs`: the client without the engine, against a service that does next to nothing, beside axios as
// people write it. Prints the ratio of the medians; fails where it is beyond the bound.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import axios from 'axios';
import { checkout } from '../tools/setup/paths.mjs';
import { median } from './median.mjs';

const COUNT = 10_000;
const CONCURRENCY = 32;
const ROUNDS = 5;
const BOUND = 1.2;

const { ApiClient } = await import(path.join(checkout, 'provider', 'dist', 'api', 'client.js'));

const service = spawn(process.execPath, [path.join(checkout, 'bench', 'quick-service.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const [line] = await once(service.stdout, 'data');
const url = String(line).trim();

const bodyOf = (index) => ({
  cidr: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}/32`,
  ip_policy_id: 'ipp_1',
  action: 'allow',
});

/** So many requests at once, until all are sent. */
const pool = async (send) => {
  let next = 0;
  const worker = async () => {
    while (next < COUNT) await send(bodyOf((next += 1)));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
};

const bareAxios = async () => {
  const httpAgent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const library = axios.create({
    ...{ baseURL: url, httpAgent, maxRedirects: 0, proxy: false, timeout: 30_000 },
    headers: { Authorization: 'Bearer bench-key', 'Service-Version': '2' },
  });
  await pool((body) => library.post('/ip_policy_rules', body));
  httpAgent.destroy();
};

const ownClient = async () => {
  const client = new ApiClient({
    ...{ apiKey: 'bench-key', baseUrl: url, versionHeader: 'Service-Version', version: '2' },
    ...{ maxConcurrency: CONCURRENCY, requestTimeoutMs: 30_000, operationTimeoutMs: 300_000, maxAttempts: 4 },
  });
  await pool((body) => client.createIpPolicyRule(body, client.startOperation()));
  client.close();
};

const timed = async (work) => {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
};

const runs = { axios: [], client: [] };
// In turns, so that what else the machine does hits both alike; the first round warms up.
for (let round = 0; round <= ROUNDS; round += 1) {
  const [bare, own] = [await timed(bareAxios), await timed(ownClient)];
  if (round === 0) continue;
  runs.axios.push(bare);
  runs.client.push(own);
}
service.stdin.end();

const figure = (name, of) => Math.round(median(runs[name].map(of)));
const [bare, own] = ['axios', 'client'].map((name) => ({
  wallMs: figure(name, (run) => run.wallMs),
  cpuMs: figure(name, (run) => run.cpuMs),
}));
const ratio = { wall: own.wallMs / bare.wallMs, cpu: own.cpuMs / bare.cpuMs };
console.log(JSON.stringify({ count: COUNT, axios: bare, client: own, ratio }));
if (Math.min(ratio.wall, ratio.cpu) > BOUND) process.exitCode = 1;
