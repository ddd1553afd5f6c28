import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

const ruleForRule = {
  maxCount: 1000,
  program: `
    const { IpPolicyRule } = require('pulumi-edge-policy');
    require('./rules.json').forEach((rule, index) => {
      new IpPolicyRule('rule-' + index, { ...rule, ipPolicyId: '${POLICY_ID}' });
    });
  `,
};

/** This package, a resource per rule. */
export default pulumiVariant({ id: 'rule', title: '(b) `IpPolicyRule`', ...ruleForRule });

/** Single rules, served by the plugin. */
export const ruleNative = pulumiVariant({
  id: 'rule-native',
  title: '(b) with the plugin',
  isNative: true,
  ...ruleForRule,
});
