import type { ClientSettings } from '../../../provider/src/api/client';
import {
  idsByKey,
  parseRules,
  readRuleLines,
  type RulesInState,
} from '../../../provider/src/rule-set/rules-text';
import type { RuleWire } from '../../../emulator/src/index';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { policyId } from '../../support/ids';

/** One rule of a declaration. */
export interface Declared {
  readonly cidr: string;
  readonly action: 'allow' | 'deny';
  readonly description?: string;
  readonly metadata?: string;
  readonly until?: string;
}

/** What the engine keeps of a set. */
interface Kept {
  readonly id: string;
  readonly inputs: Bag;
  readonly outs: Bag;
  /** After a partial failure the engine asks for an update, whatever diff says. */
  readonly hasFailed?: true;
}

/** The error of a partial failure, as the engine's host reads it. */
interface HostFailure extends Error {
  readonly id?: string;
  readonly properties?: Bag;
}

/** A set on a service, driven as the engine does: a process per call, state from call to call, failures kept in it. */
export class RuleSetDriver {
  kept: Kept | undefined;
  /** The lines of the latest process. */
  warnings: readonly string[] = [];

  private constructor(
    readonly scene: Scene,
    private readonly settings: Partial<ClientSettings>,
  ) {}

  /** @param skewMs How far the clock of the service is ahead of that of the set. */
  static async start(settings: Partial<ClientSettings> = {}, skewMs = 0): Promise<RuleSetDriver> {
    return new RuleSetDriver(await startScene({ skewMs }), settings);
  }

  /** `pulumi up`; answers whether there was something to do. Throws what the provider throws, with state kept. */
  async up(rules: readonly Declared[] | Record<string, unknown>, options: Bag = {}): Promise<boolean> {
    const inputs = await this.check(rules, options);
    return this.withProcess(async (sets) => {
      const { kept } = this;
      if (kept === undefined) {
        await this.keep(inputs, async () => sets.create(inputs));
        return true;
      }
      const { changes: differs } = await sets.diff(kept.id, kept.outs, inputs);
      const changes = differs || kept.hasFailed === true;
      if (changes)
        await this.keep(inputs, async () => ({
          id: kept.id,
          ...(await sets.update(kept.id, kept.outs, inputs)),
        }));
      else this.kept = { ...kept, inputs };
      return changes;
    });
  }

  /** The inputs as check returns them; throws its failures. */
  async check(rules: readonly Declared[] | Record<string, unknown>, options: Bag = {}): Promise<Bag> {
    return this.withProcess(async (sets) => {
      const news = { ipPolicyId: policyId, rules: JSON.stringify(rules), ...options };
      const { inputs, failures } = await sets.check(this.kept?.inputs ?? {}, news);
      if (failures.length > 0) throw new Error(failures.join('\n'));
      return inputs;
    });
  }

  /** `pulumi refresh`. */
  async refresh(): Promise<void> {
    await this.withProcess(async (sets) => {
      if (this.kept === undefined) throw new Error('there is no set');
      const { id, props, inputs } = await sets.read(this.kept.id, this.kept.outs);
      this.kept = { id, inputs, outs: props };
    });
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<void> {
    await this.withProcess(async (sets) => {
      if (this.kept === undefined) throw new Error('there is no set');
      await sets.delete(this.kept.id, this.kept.outs);
      this.kept = undefined;
    });
  }

  /** The rules in state, by network. */
  get rules(): Record<string, Partial<Declared>> {
    const text = String(this.kept?.outs['rules']);
    const rules = parseRules(text).map(({ cidr: _cidr, ...rest }) => rest);
    return Object.fromEntries((readRuleLines(text) ?? []).map(({ key }, index) => [key, rules[index] ?? {}]));
  }

  /** The ids in state, by network. */
  get ids(): Record<string, string> {
    return idsByKey(this.kept?.outs as unknown as RulesInState);
  }

  /** The rules of the policy on the service. */
  get live(): RuleWire[] {
    return this.scene.emulator.state().rules.filter((rule) => rule.ip_policy.id === policyId);
  }

  /** The live rules in words, sorted. */
  get liveNames(): string[] {
    return this.live.map(({ action, cidr }) => `${action} ${cidr}`).sort();
  }

  /** The requests since the last call of this method, as `METHOD` or `LIST`. */
  requests(): string[] {
    const { emulator } = this.scene;
    const made = emulator.journal.map(({ method, path }) =>
      method === 'GET' && path === '/ip_policy_rules' ? 'LIST' : method,
    );
    emulator.clearJournal();
    return made;
  }

  private async withProcess<T>(work: (sets: ReturnType<HostProcess['provider']>) => Promise<T>): Promise<T> {
    const host = this.scene.newProcess(this.settings);
    try {
      return await work(host.provider('IpPolicyRuleSet'));
    } finally {
      this.warnings = host.warnings;
      host.end();
    }
  }

  private async keep(inputs: Bag, work: () => Promise<{ id: string; outs: Bag }>): Promise<void> {
    try {
      this.kept = { inputs, ...(await work()) };
    } catch (error) {
      const { id, properties } = error as HostFailure;
      // After a failed update the engine keeps the old inputs, after a failed create it has none but the new.
      if (id !== undefined && properties !== undefined) {
        this.kept = { id, inputs: this.kept?.inputs ?? inputs, outs: properties, hasFailed: true };
      }
      throw error;
    }
  }
}

/** So many rules for hosts, one after another. */
export const hosts = (count: number, action: 'allow' | 'deny' = 'allow', first = 0): Declared[] =>
  Array.from({ length: count }, (_, index) => {
    const at = first + index;
    return { cidr: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}/32`, action };
  });

/** The text of a failure. */
export const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );

/** State and service agree, and nothing is there twice. */
export function expectStateIsLive(set: RuleSetDriver): void {
  expect(Object.entries(set.ids).sort()).toEqual(set.live.map(({ cidr, id }) => [cidr, id]).sort());
  expect(new Set(set.live.map(({ cidr }) => cidr)).size).toBe(set.live.length);
}
