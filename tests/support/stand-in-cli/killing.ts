// What for: what the CLI adds to the engine: the end of a run between two steps, and the forms of secrets.
// Must not know: the commands that are tested, and their histories.
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import type { ResourceType } from '../../../provider/src/resources/provider-reference';
import { type Bag, type HostedProvider, HostProcess } from '../host-process';
import type { IdleClock } from '../idle-clock';
import type { Turns } from '../stand-in-engine/workers';

/** If no further step begins for so long, those under way are killed. */
const PATIENCE_MS = 60_000;

/** Where a run is killed: at which of its steps, how many of them are under way by then, and whether they take effect. */
export interface Kill {
  readonly atStep: number;
  readonly width: number;
  readonly hasEffect: boolean;
}

const never = new Promise<never>(() => undefined);

/** The end of a run between two given steps: from one step on, none is answered, and when enough are under way it is killed. */
export class Killing {
  /** Resolves when the run is to be killed. */
  readonly isDue: Promise<undefined>;
  private markDue: () => void = () => undefined;
  private step = 0;
  private underWay = 0;

  constructor(
    private readonly kill: Kill | undefined,
    private readonly clock: IdleClock,
  ) {
    this.isDue = new Promise((resolve) => {
      this.markDue = () => {
        resolve(undefined);
      };
    });
  }

  /** One step of the run; one that is killed may or may not have taken effect. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    this.step += 1;
    const { kill, step } = this;
    if (kill === undefined || step < kill.atStep) return work();
    if (kill.hasEffect) await work().catch(() => undefined);
    this.underWay += 1;
    if (this.underWay >= kill.width) this.markDue();
    else this.clock.after(PATIENCE_MS, this.markDue, true);
    return never;
  }
}

/** The plugin of a run: its calls take turns, so that a life can be repeated exactly, however many steps are under way. */
export class TurnTakingHost extends HostProcess {
  constructor(
    settings: ClientSettings,
    clock: IdleClock,
    private readonly run: { readonly turns: Turns; readonly killing: Killing },
  ) {
    super(settings, { clock });
  }

  override provider(type: ResourceType): HostedProvider {
    const provider = super.provider(type);
    const { turns, killing } = this.run;
    const write = <T>(work: () => Promise<T>): Promise<T> => killing.write(() => turns.next(work));
    return {
      check: (olds: Bag, news: Bag) => turns.next(() => provider.check(olds, news)),
      diff: (id, olds, news) => turns.next(() => provider.diff(id, olds, news)),
      read: (id, props) => turns.next(() => provider.read(id, props)),
      create: (inputs) => write(() => provider.create(inputs)),
      update: (id, olds, news) => write(() => provider.update(id, olds, news)),
      delete: (id, props) => write(() => provider.delete(id, props)),
    };
  }
}
