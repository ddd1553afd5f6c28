import {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ReadRequest,
  UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { Struct } from 'google-protobuf/google/protobuf/struct_pb';
import { plainProperties } from '../../provider/src/hosts/native/property-bags';
import { NativeResource } from '../../provider/src/hosts/native/resource';
import type { HostRun } from '../../provider/src/hosts/run';
import { toRefusal } from '../../provider/src/hosts/native/status';
import { PROVIDER_KEY, SECRET_INPUTS_KEY } from '../../provider/src/fields/field';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import type { Bag, HostedProvider } from './host-process';
import { failureIn, secretValue, struct } from './native-messages';

/** The provider of one type behind the plugin's adapter: every bag is a protobuf struct, every failure a gRPC status. */
export function nativeProvider(type: ResourceType, run: HostRun): HostedProvider {
  const resource = new NativeResource(type, run);
  const asked = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const answer = (state: object): Struct => resource.answer({}, state);
      const options = {
        advice: run.keyAdvice,
        conceal: run.marked.conceal,
        resource: { isReadFirst: () => false, answer },
      };
      throw asTheEngineReads(toRefusal(error, options));
    }
  };
  return {
    check: (olds, news) =>
      asked(() => {
        const answer = resource.check(new CheckRequest().setOlds(sent(olds)).setNews(sent(news)));
        const failures = answer.getFailuresList().map((failure) => failure.getReason());
        return { inputs: bagOf(answer.getInputs()), failures };
      }),
    diff: (id, olds, news) =>
      asked(() => {
        const request = new DiffRequest().setId(id).setOlds(sent(olds)).setNews(sent(news));
        const answer = resource.diff(request);
        const changes = answer.getChanges() === DiffResponse.DiffChanges.DIFF_SOME;
        return { changes, replaces: answer.getReplacesList() };
      }),
    create: (inputs, name = '') =>
      asked(async () => {
        const answer = await resource.create(new CreateRequest().setUrn(name).setProperties(sent(inputs)));
        return { id: answer.getId(), outs: bagOf(answer.getProperties()) };
      }),
    read: (id, props) =>
      asked(async () => {
        const request = new ReadRequest().setId(id).setProperties(sent(props));
        // Only an import comes without any inputs.
        if (Object.keys(props).length > 0) request.setInputs(sent(props));
        const answer = await resource.read(request);
        const [outputs, inputs] = [bagOf(answer.getProperties()), bagOf(answer.getInputs())];
        return { id: answer.getId(), props: outputs, inputs };
      }),
    update: (id, olds, news) =>
      asked(async () => {
        const request = new UpdateRequest().setId(id).setOlds(sent(olds)).setNews(sent(news));
        return { outs: bagOf((await resource.update(request)).getProperties()) };
      }),
    delete: (id, props) =>
      asked(() => resource.delete(new DeleteRequest().setId(id).setProperties(sent(props)))),
  };
}

/** With the plugin, the classes send no reference to a handler, and the engine marks what is secret. */
function sent({ [PROVIDER_KEY]: _reference, [SECRET_INPUTS_KEY]: names = [], ...bag }: Bag): Struct {
  const marked = (names as string[]).map((name) => [name, secretValue(bag[name])] as const);
  return struct({ ...bag, ...Object.fromEntries(marked) });
}

/** The engine keeps secrets apart, and sends them in clear. */
const bagOf = (answered: Struct | undefined): Bag => plainProperties(answered);

/** A status as the engine understands it: with details, something was created and goes into the state. */
function asTheEngineReads(refusal: ReturnType<typeof toRefusal>): Error {
  const failure = failureIn(refusal);
  const partial = failure && {
    id: failure.getId(),
    properties: bagOf(failure.getProperties()),
    reasons: failure.getReasonsList(),
  };
  return Object.assign(new Error(refusal.details), partial);
}
