import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import {
  type LiveModulePlace,
  type Question,
  type ReviewedResource,
  type Snapshot,
  snapshotOf,
  typesAt,
} from 'pulumi-edge-policy-review';
import { liveModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { readRules } from '../pulumi/with-client';

/** The live objects of the subject that is asked about, whatever any stack says. */
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
  const modules = await Promise.all(typesAt(kind).map((type) => moduleOfService(client, { type, subject })));
  return snapshotOf(modules.flat());
}

/** The module that the service has at a place, if it has one. */
export async function moduleOfService(
  client: ApiClient,
  { type, subject }: LiveModulePlace,
): Promise<ReviewedResource[]> {
  const live = await liveModule(moduleKind(type), client, subject);
  return live ? [found(type, subject, { ...live })] : [];
}

const found = (
  type: ReviewedResource['origin']['type'],
  id: string,
  inputs: Record<string, unknown>,
): ReviewedResource => ({ origin: { urn: id, name: id, type }, inputs, outputs: {} });
