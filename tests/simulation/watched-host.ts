import type { ClientSettings } from '../../provider/src/api/client';
import { readDeclaration } from '../../provider/src/rule-set/declared-rules';
import { leaveOutEnded } from '../../provider/src/rule-set/rule-ends';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { type Bag, type HostedProvider, type HostEnvironment, HostProcess } from '../support/host-process';
import { idOf, thingsDeclared } from '../support/things';
import { heldIds, type ProviderCall, type WindowWatch } from './watches/window-watch';

/** A plugin process that reports its calls to the watch. */
export class WatchedHost extends HostProcess {
  private readonly startedAtMs: number;

  constructor(
    settings: ClientSettings,
    environment: HostEnvironment,
    private readonly watch: WindowWatch,
  ) {
    super(settings, environment);
    this.startedAtMs = environment.clock.epochMs();
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
        this.watch.name(effectsOf(type, inForce(news, this.startedAtMs)));
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

/** Rules that have ended are not declared any more. */
const inForce = (inputs: Bag, nowMs: number): Bag =>
  typeof inputs['rules'] === 'string' && inputs['rules'].includes('"until"')
    ? { ...inputs, rules: leaveOutEnded(readDeclaration(inputs['rules']).value ?? '', { nowMs }).rules }
    : inputs;

const effectsOf = (type: ResourceType, inputs: Bag): string[] =>
  thingsDeclared({ type, inputs }).map(({ effect }) => effect);
