// One rule. The policies in `pack/` say how wide it may be: pulumi preview --policy-pack pack
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRule } from 'pulumi-edge-policy';

const config = new pulumi.Config('policy-pack');

new IpPolicyRule('office', {
  ipPolicyId: config.get('ipPolicyId') ?? 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  cidr: config.get('officeCidr') ?? '203.0.113.0/24',
  action: 'allow',
});
