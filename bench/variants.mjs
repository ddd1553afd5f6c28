import http from 'node:http';
import axios from 'axios';
import { CONCURRENCY, createProject } from './pulumi-project.mjs';
import { makeRules } from './rules.mjs';

/**
 * One way to manage a list of rules. `start` prepares it for so many rules; each step then does what its name says.
 *
 * @typedef {'create' | 'preview' | 'change' | 'update' | 'refresh' | 'destroy'} StepName
 * @typedef {{ wallMs: number, peakMemoryBytes?: number | undefined, stateBytes?: number }} Measured
 * @typedef {{ url: string, apiKey: string }} Service
 * @typedef {Partial<Record<StepName, () => Promise<Measured>>> & { remove?: () => void }} Steps
 * @typedef {{ title: string, maxCount: number, start: (scene: { service: Service, count: number }) => Promise<Steps> }} Variant
 */

const POLICY_ID = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';

/** How many rules the step `change` changes. @param {number} count */
const changedCount = (count) => Math.ceil(count / 100);

/** A Pulumi program, which finds the rules in `rules.json` in its folder. @param {string} program @returns {Variant['start']} */
const pulumi =
  (program) =>
  async ({ service, count }) => {
    const project = await createProject({ program, service });
    const up = async (rules) => {
      project.declare(rules);
      return { ...(await project.up()), stateBytes: project.stateBytes() };
    };
    return {
      create: () => up(makeRules(count)),
      preview: project.preview,
      change: () => up(makeRules(count, { changedCount: changedCount(count) })),
      update: () => up(makeRules(count, { generation: 'updated', changedCount: changedCount(count) })),
      refresh: project.refresh,
      destroy: project.destroy,
      remove: project.remove,
    };
  };

/** The lower limit: the same requests, without anything around them. @type {Variant['start']} */
const bareAxios = async ({ service, count }) => {
  const client = axios.create({
    baseURL: service.url,
    headers: { Authorization: `Bearer ${service.apiKey}`, 'Service-Version': '2' },
    httpAgent: new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY }),
  });
  const pathOf = (rule) => `/ip_policy_rules/${rule.id}`;
  const moved = makeRules(count, { changedCount: count });
  let live = [];
  const post = async (rule) =>
    (await client.post('/ip_policy_rules', { ...rule, ip_policy_id: POLICY_ID })).data;
  const list = async () => {
    for (let next = '/ip_policy_rules'; next !== null;) next = (await client.get(next)).data.next_page_uri;
  };
  const work = {
    create: async () => (live = await pool(makeRules(count), post)),
    change: () =>
      pool(live.slice(0, changedCount(count)), (rule, index) =>
        client.patch(pathOf(rule), { cidr: moved[index]?.cidr }),
      ),
    update: () =>
      pool(live, (rule, index) => client.patch(pathOf(rule), { description: `location ${index}` })),
    refresh: list,
    destroy: () => pool(live, (rule) => client.delete(pathOf(rule))),
  };
  return Object.fromEntries(Object.entries(work).map(([step, run]) => [step, () => timed(run)]));
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

/** The cost of the engine and its SDK by themselves: a provider with all six functions, which does nothing in them. */
const DO_NOTHING = `
  const pulumi = require('@pulumi/pulumi');
  const provider = {
    async check(olds, news) { return { inputs: news, failures: [] }; },
    async diff(id, olds, news) {
      const names = Object.keys(news).filter((name) => name !== '__provider');
      return { changes: names.some((name) => olds[name] !== news[name]) };
    },
    async create(inputs) { return { id: inputs.cidr, outs: inputs }; },
    async read(id, props) { return { id, props }; },
    async update(id, olds, news) { return { outs: news }; },
    async delete() {},
  };
  class Rule extends pulumi.dynamic.Resource {
    constructor(name, args) { super(provider, name, args); }
  }
  require('./rules.json').forEach((rule, index) => new Rule('rule-' + index, { ...rule, ipPolicyId: '${POLICY_ID}' }));
`;

const RULES = `
  const { IpPolicyRule } = require('pulumi-edge-policy');
  require('./rules.json').forEach((rule, index) => {
    new IpPolicyRule('rule-' + index, { ...rule, ipPolicyId: '${POLICY_ID}' });
  });
`;

const RULE_SET = `
  const { IpPolicyRuleSet } = require('pulumi-edge-policy');
  new IpPolicyRuleSet('rules', { ipPolicyId: '${POLICY_ID}', rules: require('./rules.json') });
`;

/**
 * Every variant, by the name that results have. The engine rewrites the state for every resource: ten times the rules are a hundred
 * times the work, which limits (a) and (b).
 *
 * @type {Record<string, Variant>}
 */
export const variants = {
  empty: { title: 'no resource', maxCount: 0, start: pulumi('') },
  one: { title: 'one resource', maxCount: 1, start: pulumi(RULES) },
  'do-nothing': {
    title: '(a) `pulumi.dynamic` that does nothing',
    maxCount: 1000,
    start: pulumi(DO_NOTHING),
  },
  rule: { title: '(b) `IpPolicyRule`', maxCount: 1000, start: pulumi(RULES) },
  'rule-set': { title: '(c) `IpPolicyRuleSet`', maxCount: 100_000, start: pulumi(RULE_SET) },
  'bare-pool': { title: '(d) axios alone, the same requests', maxCount: 100_000, start: bareAxios },
};
