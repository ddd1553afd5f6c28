import type { ClientSettings } from '../../../provider/src/api/client';
import {
  idsByKey,
  parseRules,
  readRuleLines,
  type RulesInState,
} from '../../../provider/src/rule-set/rules-text';
import type { Emulator, RuleWire } from '../../../emulator/src/index';
import { declaredSet } from '../../support/declarations';
import { type Bag, type HostProcess, type Scene, type SceneOptions, startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { done, StandInEngine } from '../../support/stand-in-engine';

/** The requests that a set sends. */
export const post = { method: 'POST', path: '/ip_policy_rules' } as const;
export const list = { method: 'GET', path: '/ip_policy_rules' } as const;
export const look = { method: 'GET', path: '/ip_policy_rules/{id}' } as const;
export const patch = { method: 'PATCH', path: '/ip_policy_rules/{id}' } as const;
export const remove = { method: 'DELETE', path: '/ip_policy_rules/{id}' } as const;

/** One rule of a declaration. */
export interface Declared {
  readonly cidr: string;
  readonly action: 'allow' | 'deny';
  readonly description?: string;
  readonly metadata?: string;
  readonly until?: string;
  readonly list?: string;
}

/** A stack of one set: what its tests ask of it, in the words of sets. */
export class RuleSetDriver {
  private readonly engine = new StandInEngine(() => (this.host = this.newProcess()));
  private host: HostProcess | undefined;

  private constructor(
    readonly scene: Scene,
    private readonly settings: Partial<ClientSettings>,
  ) {}

  static async start(options?: SceneOptions, settings: Partial<ClientSettings> = {}): Promise<RuleSetDriver> {
    return new RuleSetDriver(await startScene(options), settings);
  }

  /** A stack whose first `up` has made the set. */
  static async applied(...declared: Parameters<RuleSetDriver['up']>): Promise<RuleSetDriver> {
    const set = await RuleSetDriver.start();
    await set.up(...declared);
    return set;
  }

  get emulator(): Emulator {
    return this.scene.emulator;
  }

  private newProcess(): HostProcess {
    return this.scene.newProcess(this.settings);
  }

  /** `pulumi up`; answers whether there was something to do. Throws what the provider throws, with state kept. */
  async up(rules: readonly Declared[] | Record<string, unknown>, options: Bag = {}): Promise<boolean> {
    return (await done(this.engine.up([declaredSet('set', rules, options)]))).length > 0;
  }

  /** The inputs as check returns them; throws its failures. */
  check(rules: readonly Declared[] | Record<string, unknown>, options: Bag = {}): Promise<Bag> {
    const { inputs } = declaredSet('set', rules, options);
    return this.newProcess().checked('IpPolicyRuleSet', inputs, this.kept?.inputs);
  }

  /** `pulumi refresh`. */
  async refresh(): Promise<void> {
    await done(this.engine.refresh());
  }

  /** `pulumi destroy`. */
  async destroy(): Promise<void> {
    await done(this.engine.destroy());
  }

  /** What state has of the set. */
  get kept(): { readonly id: string; readonly inputs: Bag; readonly outs: Bag } | undefined {
    const [entry] = this.engine.state;
    return entry && { id: entry.id, inputs: entry.inputs, outs: entry.outputs };
  }

  /** The lines of the latest call. */
  get warnings(): readonly string[] {
    return this.host?.warnings ?? [];
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
    return this.emulator.state().rules.filter((rule) => rule.ip_policy.id === policyId);
  }

  /** The live rules in words, sorted. */
  get liveNames(): string[] {
    return this.live.map(({ action, cidr }) => `${action} ${cidr}`).sort();
  }

  /** The requests since the last call of this method, as `METHOD` or `LIST`. */
  requests(): string[] {
    const made = this.emulator.journal.map(({ method, path }) =>
      method === 'GET' && path === '/ip_policy_rules' ? 'LIST' : method,
    );
    this.emulator.clearJournal();
    return made;
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
