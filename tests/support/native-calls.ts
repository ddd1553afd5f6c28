/* eslint-disable @typescript-eslint/unbound-method -- `NativePlugin.ask` calls the methods on their client */
import {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  ReadRequest,
  UpdateRequest,
} from '@pulumi/pulumi/proto/provider_pb';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { struct } from './native-messages';
import { type Bag, type NativePlugin, urnOf } from './native-plugin';

/** What the engine asks, with plain bags. @param limit.seconds The time of each step, as customTimeouts give it. */
export const calls = (plugin: NativePlugin, type: ResourceType, { seconds = 0 } = {}) => {
  const { client } = plugin;
  const urn = urnOf(type);
  return {
    check: async (news: Bag, olds?: Bag) => {
      const request = new CheckRequest()
        .setUrn(urn)
        .setNews(struct(news))
        .setOlds(olds && struct(olds));
      const answer = await plugin.ask(client.check, request);
      const failures = answer.getFailuresList().map((failure) => failure.toObject());
      return { inputs: answer.getInputs()?.toJavaScript(), failures };
    },
    diff: (id: string, { olds, oldInputs, news }: { olds: Bag; oldInputs?: Bag; news: Bag }) => {
      const request = new DiffRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
      return plugin.ask(
        client.diff,
        oldInputs === undefined ? request : request.setOldInputs(struct(oldInputs)),
      );
    },
    create: async (inputs: Bag, preview = false) => {
      const request = new CreateRequest().setUrn(urn).setProperties(struct(inputs)).setPreview(preview);
      const answer = await plugin.ask(client.create, request.setTimeout(seconds));
      const state: Bag = answer.getProperties()?.toJavaScript() ?? {};
      return { id: answer.getId(), state, isReadFirst: answer.getRefreshBeforeUpdate() };
    },
    update: async (
      id: string,
      { olds, news, preview = false }: { olds: Bag; news: Bag; preview?: boolean },
    ) => {
      const request = new UpdateRequest().setUrn(urn).setId(id).setOlds(struct(olds)).setNews(struct(news));
      const answer = await plugin.ask(client.update, request.setPreview(preview).setTimeout(seconds));
      return { state: answer.getProperties()?.toJavaScript(), isReadFirst: answer.getRefreshBeforeUpdate() };
    },
    read: async (id: string, state: Bag = {}) => {
      const request = new ReadRequest().setUrn(urn).setId(id).setProperties(struct(state));
      const answer = await plugin.ask(client.read, request.setTimeout(seconds));
      return {
        id: answer.getId(),
        state: answer.getProperties()?.toJavaScript(),
        inputs: answer.getInputs()?.toJavaScript(),
      };
    },
    delete: (id: string, state: Bag) => {
      const request = new DeleteRequest().setUrn(urn).setId(id).setProperties(struct(state));
      return plugin.ask(client.delete, request.setTimeout(seconds));
    },
  };
};
