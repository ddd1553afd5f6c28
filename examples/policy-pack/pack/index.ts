// The policies of an organisation. It keeps this folder in a separate repository, and runs it on every stack.
import { PolicyPack, validateResourceOfType } from '@pulumi/policy';
import { IpPolicyRule } from 'pulumi-edge-policy';
import { edgePolicies } from 'pulumi-edge-policy-pack';

new PolicyPack('acme-edge', {
  policies: [
    ...edgePolicies({
      enforcementLevel: 'mandatory',
      assertions: {
        policies: [
          {
            ipPolicyId: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
            neverWiderThan: ['203.0.113.0/24', '198.51.100.0/24'],
          },
        ],
      },
    }),
    {
      name: 'rule-described',
      description: 'A rule says what it is for.',
      enforcementLevel: 'advisory',
      validateResource: validateResourceOfType(IpPolicyRule, ({ description }, _args, report) => {
        if (description === undefined) report('Add a description.');
      }),
    },
  ],
});
