import { status, type ServerWritableStream } from '@grpc/grpc-js';
import { ListResponse, type ListRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import { lookUpRules, type RuleConditions } from '../../resources/look-ups';
import { nativeToken } from '../../resources/provider-reference';
import { plainProperties } from './properties';
import { Refused } from './status';

/** Lists what there is of a type: single rules. Modules cannot be listed, as the service lists no edges. */
export async function list(
  call: ServerWritableStream<ListRequest, ListResponse>,
  client: () => ApiClient,
): Promise<void> {
  const { request } = call;
  if (request.getToken() !== nativeToken('IpPolicyRule'))
    throw new Refused(status.UNIMPLEMENTED, `${request.getToken()} cannot be listed.`);
  const found = await lookUpRules(client(), conditionsOf(plainProperties(request.getQuery())));
  const limit = request.getLimit();
  for (const { id, cidr, action } of limit > 0 ? found.slice(0, limit) : found) {
    call.write(
      new ListResponse().setResult(new ListResponse.Result().setId(id).setName(`${action} ${cidr}`)),
    );
  }
}

function conditionsOf(query: Record<string, unknown>): RuleConditions {
  const { ipPolicyId, action } = query;
  return {
    ...(typeof ipPolicyId === 'string' ? { ipPolicyId } : {}),
    ...(action === 'allow' || action === 'deny' ? { action } : {}),
  };
}
