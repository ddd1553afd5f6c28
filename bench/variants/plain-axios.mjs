import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

/** The handwritten way: a dynamic provider with axios, as in the SDK's own examples. */
export default pulumiVariant({
  id: 'plain-axios',
  title: '(b) hand-written dynamic provider with axios',
  maxCount: 1000,
  program: `
    const pulumi = require('@pulumi/pulumi');
    const request = async (method, path, data) => {
      const axios = require('axios');
      const response = await axios({
        method, data, url: process.env.EDGE_POLICY_BASE_URL + path,
        headers: { Authorization: 'Bearer ' + process.env.EDGE_POLICY_API_KEY, 'Service-Version': '2' },
      });
      return response.data;
    };
    const outputs = (rule) => ({
      cidr: rule.cidr, action: rule.action, description: rule.description,
      ipPolicyId: rule.ip_policy.id, uri: rule.uri, createdAt: rule.created_at,
    });
    const provider = {
      async create({ cidr, action, description, ipPolicyId }) {
        const rule = await request('POST', '/ip_policy_rules', { cidr, action, description, ip_policy_id: ipPolicyId });
        return { id: rule.id, outs: outputs(rule) };
      },
      async read(id) {
        return { id, props: outputs(await request('GET', '/ip_policy_rules/' + id)) };
      },
      async diff(id, olds, news) {
        const names = ['cidr', 'description'];
        const replaces = ['action', 'ipPolicyId'].filter((name) => olds[name] !== news[name]);
        return { changes: replaces.length > 0 || names.some((name) => olds[name] !== news[name]), replaces };
      },
      async update(id, olds, { cidr, description }) {
        return { outs: outputs(await request('PATCH', '/ip_policy_rules/' + id, { cidr, description })) };
      },
      async delete(id) {
        await request('DELETE', '/ip_policy_rules/' + id);
      },
    };
    class Rule extends pulumi.dynamic.Resource {
      constructor(name, args) { super(provider, name, { uri: undefined, createdAt: undefined, ...args }); }
    }
    require('./rules.json').forEach((rule, index) => new Rule('rule-' + index, { ...rule, ipPolicyId: '${POLICY_ID}' }));
  `,
});
