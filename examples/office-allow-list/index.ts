// Who may connect, as a data file that people without a programming background can edit. Each stack has its own policy.
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRuleSet } from 'pulumi-edge-policy';
import offices from './offices.json';

const config = new pulumi.Config();
const environment = pulumi.getStack();

// Rules of a list need no names: the set knows them by their networks, and a preview shows the ones that change.
const list = new IpPolicyRuleSet('offices', {
  ipPolicyId: config.get('ipPolicyId') ?? 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa',
  rules: offices.flatMap(({ office, networks }) =>
    networks.map((cidr) => ({
      cidr,
      action: 'allow' as const,
      description: `${office} (${environment})`,
    })),
  ),
});

export const allowed = list.ruleList.apply((rules) => rules.map(({ cidr }) => cidr));
