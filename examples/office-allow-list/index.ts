// Who may connect, as a data file that people without a programming background can edit. Each stack has its own policy.
import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRule } from 'pulumi-edge-policy';
import offices from './offices.json';

const config = new pulumi.Config();
const ipPolicyId = config.require('ipPolicyId');
const environment = pulumi.getStack();

// A rule is named after its network: when a network moves from one office to another, its rule is updated in place.
const rules = offices.flatMap(({ office, networks }) =>
  networks.map(
    (cidr) =>
      new IpPolicyRule(`allow-${cidr}`, {
        ipPolicyId,
        action: 'allow',
        cidr,
        description: `${office} (${environment})`,
      }),
  ),
);

export const allowed = rules.map(({ cidr }) => cidr);
