import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

/** This package, a resource per rule. */
export default pulumiVariant({
  id: 'rule',
  title: '(c) `IpPolicyRule`',
  maxCount: 1000,
  program: `
    const { IpPolicyRule } = require('pulumi-edge-policy');
    require('./rules.json').forEach((rule, index) => {
      new IpPolicyRule('rule-' + index, { ...rule, ipPolicyId: '${POLICY_ID}' });
    });
  `,
});
