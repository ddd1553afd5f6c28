import type { ClientSettings } from '../../provider/src/api/client';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { type HostedProvider, type HostEnvironment, HostProcess } from '../support/host-process';
import { idOf, thingsDeclared } from '../support/things';
import { heldIds, type ProviderCall, type WindowWatch } from './watches/window-watch';

/** A plugin process that reports its calls to the watch. */
export class WatchedHost extends HostProcess {
  constructor(
    settings: ClientSettings,
    environment: HostEnvironment,
    private readonly watch: WindowWatch,
  ) {
    super(settings, environment);
  }

  override provider(type: ResourceType): HostedProvider {
    const provider = super.provider(type);
    const during = async <T>(call: Omit<ProviderCall, 'type'>, work: () => Promise<T>): Promise<T> => {
      const close = this.watch.open({ type, ...call });
      try {
        return await work();
      } finally {
        close();
      }
    };
    return {
      ...provider,
      check: (olds, news) => {
        this.watch.name(thingsDeclared({ type, inputs: news }).map(({ effect }) => effect));
        return provider.check(olds, news);
      },
      create: (news, name) =>
        during({ operation: 'create', ids: [idOf(type, news)], olds: {}, news }, () =>
          provider.create(news, name),
        ),
      update: (id, olds, news) =>
        during({ operation: 'update', ids: heldIds(type, id, olds), olds, news }, () =>
          provider.update(id, olds, news),
        ),
      delete: (id, olds) =>
        during({ operation: 'delete', ids: heldIds(type, id, olds), olds, news: {} }, () =>
          provider.delete(id, olds),
        ),
    };
  }
}
