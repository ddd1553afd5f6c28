import http from 'node:http';
import axios from 'axios';
import { CONCURRENCY } from '../pulumi-project.mjs';
import { makeRules } from '../rules.mjs';
import { changedCount, POLICY_ID } from './pulumi-variant.mjs';

/**
 * The lower limit: the same requests from a pool of axios calls, without anything around them.
 *
 * @type {import('./pulumi-variant.mjs').Variant}
 */
export default {
  id: 'bare-pool',
  title: '(d) axios alone, the same requests',
  maxCount: 100_000,
  start: async ({ service, count }) => {
    const client = axios.create({
      baseURL: service.url,
      headers: { Authorization: `Bearer ${service.apiKey}`, 'Service-Version': '2' },
      httpAgent: new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY }),
    });
    const path = (rule) => `/ip_policy_rules/${rule.id}`;
    let live = [];
    return {
      create: () =>
        timed(async () => {
          live = await pool(makeRules(count), async (rule) => {
            const { data } = await client.post('/ip_policy_rules', { ...rule, ip_policy_id: POLICY_ID });
            return data;
          });
        }),
      change: () =>
        timed(() =>
          pool(live.slice(0, changedCount(count)), async (rule, index) => {
            const { cidr } = makeRules(count, { changedCount: count })[index];
            await client.patch(path(rule), { cidr });
          }),
        ),
      update: () =>
        timed(() =>
          pool(live, (rule, index) => client.patch(path(rule), { description: `location ${index}` })),
        ),
      refresh: () =>
        timed(async () => {
          for (let next = '/ip_policy_rules'; next !== null;) {
            const { data } = await client.get(next);
            next = data.next_page_uri;
          }
        }),
      destroy: () => timed(() => pool(live, (rule) => client.delete(path(rule)))),
    };
  },
};

const timed = async (work) => {
  const startedAt = performance.now();
  await work();
  return { wallMs: performance.now() - startedAt };
};

/** Runs work for every item, a limited number at once. */
const pool = async (items, work) => {
  const results = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index], index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
};
