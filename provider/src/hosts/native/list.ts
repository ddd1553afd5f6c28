import { status, type ServerWritableStream } from '@grpc/grpc-js';
import { ListResponse, type ListRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import type { Words } from '../../errors/words';
import { lookUpRules } from '../../resources/look-ups';
import { nativeToken } from '../../resources/provider-reference';
import { conditionsOf } from './invoke';
import { plainProperties } from './property-bags';
import { Refused } from './status';

/** Lists the objects of a type: single rules only. Modules cannot be listed, as the service does not list edges. */
export async function list(
  call: ServerWritableStream<ListRequest, ListResponse>,
  { client, words }: { readonly client: () => ApiClient; readonly words: Words },
): Promise<void> {
  const { request } = call;
  if (request.getToken() !== nativeToken('IpPolicyRule'))
    throw new Refused(status.UNIMPLEMENTED, `${request.getToken()} cannot be listed.`);
  const found = await lookUpRules(client(), conditionsOf(plainProperties(request.getQuery()), words));
  const limit = request.getLimit();
  for (const { id, cidr, action } of limit > 0 ? found.slice(0, limit) : found) {
    call.write(
      new ListResponse().setResult(new ListResponse.Result().setId(id).setName(`${action} ${cidr}`)),
    );
  }
}
