import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { httpsEdgeRouteUserAgentFilterModule } from 'pulumi-edge-policy/internal/resources/https-edge-route-user-agent-filter-module';
import { tcpEdgeTrafficPolicyModule } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import { type Question, type ReviewedResource, type Snapshot, snapshotOf } from '../../index';
import { liveModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { readRules } from 'pulumi-edge-policy/internal/cli/service';

/** What the service holds of the subject that is asked about, whatever any stack says. */
export async function snapshotOfService(client: ApiClient, { kind, subject }: Question): Promise<Snapshot> {
  if (kind === 'policy') {
    const rules = await readRules(client, { policyIds: [subject] });
    return snapshotOf(
      rules.map((rule) =>
        found('IpPolicyRule', rule.id, {
          ipPolicyId: rule.ipPolicyId,
          cidr: rule.cidr,
          action: rule.action,
        }),
      ),
    );
  }
  if (kind === 'tcp-edge') {
    const live = await liveModule(tcpEdgeTrafficPolicyModule, client, subject);
    return snapshotOf(live ? [found('TcpEdgeTrafficPolicyModule', subject, { ...live })] : []);
  }
  const live = await liveModule(httpsEdgeRouteUserAgentFilterModule, client, subject);
  return snapshotOf(live ? [found('HttpsEdgeRouteUserAgentFilterModule', subject, { ...live })] : []);
}

const found = (
  type: ReviewedResource['origin']['type'],
  id: string,
  inputs: Record<string, unknown>,
): ReviewedResource => ({ origin: { urn: id, name: id, type }, inputs, outputs: {} });
