// A list that changes by pull request: `pipeline/review.sh` runs in the pull request, `pipeline/apply.sh` on main.
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRule } from 'pulumi-edge-policy';
import networks from './networks.json';

const ipPolicyId = new pulumi.Config().get('ipPolicyId') ?? 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';

for (const [name, cidr] of Object.entries(networks)) {
  new IpPolicyRule(name, { ipPolicyId, action: 'allow', cidr });
}
