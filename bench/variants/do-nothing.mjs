import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

/**
 * The cost of the engine and its SDK by themselves: dynamic resources with the properties of a rule, whose provider has all six
 * functions of the interface and does nothing in them.
 */
export default pulumiVariant({
  id: 'do-nothing',
  title: '(a) `pulumi.dynamic` that does nothing',
  // The engine rewrites the state for every resource: ten times the rules are a hundred times the work.
  maxCount: 1000,
  program: `
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
  `,
});
