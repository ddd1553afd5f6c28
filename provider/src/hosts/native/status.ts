import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { ErrorResourceInitFailed } from '@pulumi/pulumi/proto/provider_pb';
import { Status } from '@pulumi/pulumi/proto/status_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { toHostError } from '../../errors/host-error';
import { isPartialFailure } from '../../errors/partial-failure';
import { printableByEngine } from '../../values/printable';

/** The metadata key in which gRPC carries details of an error; the name is gRPC's own. */
const DETAILS_KEY = 'grpc-status-details-bin';

export type Refusal = Pick<ServiceError, 'code' | 'details'> & Partial<Pick<ServiceError, 'metadata'>>;

/** A refusal with a code of its own: the object is not there, or not now. */
export class Refused extends Error {
  constructor(
    readonly code: status,
    sentence: string,
  ) {
    super(printableByEngine(sentence));
  }
}

export interface RefusalOptions {
  readonly conceal: (message: string) => string;
  readonly advice: () => string;
  readonly resource?:
    | {
        /** Whether the engine should read it first at its next run. */
        readonly isReadFirst: (state: object) => boolean;
        readonly answer: (state: object) => Struct;
      }
    | undefined;
}

/** Any error in the form that the engine reads, with finished sentences only. The details of a partial failure contain the new state. */
export function toRefusal(error: unknown, { advice, conceal, resource }: RefusalOptions): Refusal {
  if (error instanceof Refused) return { code: error.code, details: conceal(error.message) };
  const { message } = toHostError(error, {}, { advice, conceal });
  const refusal = { code: status.UNKNOWN, details: message };
  if (!isPartialFailure(error) || resource === undefined) return refusal;
  const failure = new ErrorResourceInitFailed()
    .setId(error.id)
    .setProperties(resource.answer(error.state))
    .setReasonsList(message.split('\n'))
    .setRefreshBeforeUpdate(resource.isReadFirst(error.state));
  return { ...refusal, metadata: detailsOf(refusal, failure) };
}

function detailsOf({ code, details }: Refusal, failure: ErrorResourceInitFailed): Metadata {
  const packed = new Any();
  packed.pack(failure.serializeBinary(), 'pulumirpc.ErrorResourceInitFailed');
  const withDetails = new Status().setCode(code).setMessage(details).setDetailsList([packed]);
  const metadata = new Metadata();
  metadata.add(DETAILS_KEY, Buffer.from(withDetails.serializeBinary()));
  return metadata;
}
