import { POLICY_ID, pulumiVariant } from './pulumi-variant.mjs';

/** A set of the rules in `rules.json`. */
export const program = `
  const { IpPolicyRuleSet } = require('pulumi-edge-policy');
  new IpPolicyRuleSet('rules', { ipPolicyId: '${POLICY_ID}', rules: require('./rules.json') });
`;

/** This package, one resource for all rules. */
export default pulumiVariant({
  id: 'rule-set',
  title: '(c) `IpPolicyRuleSet`',
  maxCount: 100_000,
  program,
});

/** A set, served by the plugin. */
export const ruleSetNative = pulumiVariant({
  id: 'rule-set-native',
  title: '(c) with the plugin',
  maxCount: 10_000,
  isNative: true,
  program,
});
