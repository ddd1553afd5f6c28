import type { ApiClient } from 'pulumi-edge-policy/internal/api/client';
import type { LiveModulePlace, ReviewedResource } from 'pulumi-edge-policy-review';
import { liveModule } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { detailsOf } from 'pulumi-edge-policy/internal/rule/rule';
import { readRules } from '../pulumi/with-client';

/** The live rules of the account and the modules at these places, whatever any stack says. */
export async function resourcesOfService(
  client: ApiClient,
  places: readonly LiveModulePlace[],
): Promise<ReviewedResource[]> {
  const rules = await readRules(client);
  const modules = await Promise.all(places.map((place) => moduleOfService(client, place)));
  return [
    ...rules.map((rule) => {
      const { id, ipPolicyId, cidr, action, createdAt } = rule;
      return found('IpPolicyRule', id, { ipPolicyId, cidr, action, createdAt, ...detailsOf(rule) });
    }),
    ...modules.flat(),
  ];
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
