// What a site declares, without a service: npm test
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as pulumi from '@pulumi/pulumi';
import { Provider } from 'pulumi-edge-policy';
import { Site } from './site';

const asked: pulumi.runtime.MockCallArgs[] = [];
void pulumi.runtime.setMocks({
  newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
  call: (call) => {
    asked.push(call);
    return { rules: [{ id: 'ipr_1', cidr: '192.0.2.66/32' }] };
  },
});

const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));

void test('the edge refuses whom the policy denies, in the account of the site', async () => {
  const args = { ipPolicyId: 'ipp_1', edgeId: 'edgtcp_1', offices: ['203.0.113.0/24'] };
  const site = new Site('site', args, { providers: [new Provider('staging')] });
  assert.match(await valueOf(site.policy), /inCidrRange\(conn\.client_ip, '192\.0\.2\.66\/32'\)/);
  assert.match(asked[0]?.provider ?? '', /::staging::/);
});
