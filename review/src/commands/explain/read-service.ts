import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import { httpsEdgeRouteUserAgentFilterModuleEndpoint } from 'pulumi-edge-policy/internal/resources/https-edge-route-user-agent-filter-module';
import { tcpEdgeTrafficPolicyModuleEndpoint } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import { type Question, type ReviewedResource, type Snapshot, snapshotOf } from '../../index';
import { findModule } from 'pulumi-edge-policy/internal/settle/presence';
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
    const endpoint = tcpEdgeTrafficPolicyModuleEndpoint(client, subject);
    const live = await findModule(client, endpoint, client.startOperation());
    return snapshotOf(
      live ? [found('TcpEdgeTrafficPolicyModule', subject, { edgeId: subject, ...live })] : [],
    );
  }
  const endpoint = httpsEdgeRouteUserAgentFilterModuleEndpoint(client, subject);
  const live = await findModule(client, endpoint, client.startOperation());
  const [edgeId, routeId] = subject.split('/');
  return snapshotOf(
    live ? [found('HttpsEdgeRouteUserAgentFilterModule', subject, { edgeId, routeId, ...live })] : [],
  );
}

const found = (
  type: ReviewedResource['origin']['type'],
  id: string,
  inputs: Record<string, unknown>,
): ReviewedResource => ({ origin: { urn: id, name: id, type }, inputs, outputs: {} });
