// The policies of an organisation. It keeps this folder in a separate repository, and runs it on every stack.
import { PolicyPack } from '@pulumi/policy';
import { edgePolicies } from 'pulumi-edge-policy-pack';

new PolicyPack('acme-edge', {
  policies: edgePolicies({
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
});
