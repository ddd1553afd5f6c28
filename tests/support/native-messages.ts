// Without any test runner, as the simulation runs outside of one.
import type { Metadata } from '@grpc/grpc-js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import type { Bag } from './host-process';
import { SECRET_MARK } from './state-resource';

export const struct = (bag: Bag): Struct => Struct.fromJavaScript(bag as never);

/** A value as the engine marks it as secret. */
export const secretValue = (value: unknown): Bag => ({ ...SECRET_MARK, value });

/** The state that a partial failure tells the engine to keep; undefined for other failures. */
export const failureIn = (error: {
  readonly metadata?: Pick<Metadata, 'get'>;
}): ErrorResourceInitFailed | undefined => {
  const [details] = error.metadata?.get('grpc-status-details-bin') ?? [];
  if (!Buffer.isBuffer(details)) return undefined;
  const [packed] = Status.deserializeBinary(details).getDetailsList();
  const read = (bytes: Uint8Array): ErrorResourceInitFailed =>
    ErrorResourceInitFailed.deserializeBinary(bytes);
  return packed?.unpack(read, 'pulumirpc.ErrorResourceInitFailed') ?? undefined;
};
