// One component in two accounts: the shop in that of the stack, its staging in another one. A transform lets the monitoring in everywhere.
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRuleSet, Provider } from 'pulumi-edge-policy';
import { Site } from './site';

const config = new pulumi.Config();
const monitoring = { cidr: '198.51.100.8/29', action: 'allow', description: 'Monitoring' };

// A transform gets the rules of a set as JSON, and returns the list itself.
const withMonitoring: pulumi.ResourceTransform = ({ type, props: { rules, ...others }, opts }) => {
  if (type !== IpPolicyRuleSet.__pulumiType) return undefined;
  const declared = pulumi.output(rules as pulumi.Input<string>).apply((text) => JSON.parse(text) as object[]);
  return { props: { ...others, rules: declared.apply((list) => [...list, monitoring]) }, opts };
};

// What is left out comes from the environment, as that of the stack does.
const staging = new Provider('staging', { apiKey: config.getSecret('stagingKey') });

const shop = new Site(
  'shop',
  { ipPolicyId: 'ipp_2ZnShopPolicy', edgeId: 'edgtcp_2ZnShopEdge', offices: ['203.0.113.0/24'] },
  { transforms: [withMonitoring] },
);
const trial = new Site(
  'trial',
  {
    ipPolicyId: 'ipp_2ZnTrialPolicy',
    edgeId: 'edgtcp_2ZnTrialEdge',
    offices: ['203.0.113.0/24', '192.0.2.0/24'],
  },
  { providers: [staging], transforms: [withMonitoring] },
);

export const deniedInShop = shop.denied;
export const deniedInTrial = trial.denied;
