import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

/** This package, one resource for all rules. */
export default pulumiVariant({
  id: 'rule-set',
  title: '(d) `IpPolicyRuleSet`',
  maxCount: 100_000,
  program: `
    const { IpPolicyRuleSet } = require('pulumi-edge-policy');
    new IpPolicyRuleSet('rules', { ipPolicyId: '${POLICY_ID}', rules: require('./rules.json') });
  `,
});
