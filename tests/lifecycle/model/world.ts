import { sameCidr } from '../../../provider/src/values/cidr';
import type { Bag, Scene } from '../../support/host';
import { expectNoSecret, expectUniqueIds, isAs, liveObjects } from '../../support/invariants';
import { type Declaration, type Entry, type Outcome, StandInEngine } from '../../support/stand-in-engine';
import { declarationOf } from './declarations';
import { type Slot, type Step, strikes, type Strike } from './steps';

/** A program, the engine that runs it, and a service that others use too. */
export class World {
  readonly engine: StandInEngine;
  private readonly declared = new Map<Slot, { variant: number; name: string }>();

  constructor(private readonly scene: Scene) {
    this.engine = new StandInEngine(() => scene.newProcess());
  }

  get program(): Declaration[] {
    return [...this.declared].map(([slot, { variant, name }]) => declarationOf(slot, variant, name));
  }

  /** Performs the steps, but for those that make no sense when it is their turn. */
  async live(steps: readonly Step[]): Promise<void> {
    for (const step of steps) if (this.canDo(step)) await this.perform(step);
  }

  private canDo(step: Step): boolean {
    switch (step.do) {
      case 'declare':
      case 'deploy':
        // Two rules for one CIDR are a mistake of the program where the service refuses them.
        return step.slot !== 'twin-rule' || this.scene.emulator.switches.duplicateCidr === 'accepted';
      case 'drop':
        return this.declared.has(step.slot);
      case 'rename':
        return step.slot === 'policy' && this.declared.has(step.slot);
      case 'remote-edit':
      case 'remote-delete':
        return this.entryOf(step.slot) !== undefined;
      default:
        return true;
    }
  }

  private async perform(step: Step): Promise<void> {
    switch (step.do) {
      case 'declare':
        this.declare(step.slot, step.variant);
        return;
      case 'deploy':
        this.declare(step.slot, step.variant);
        await this.callEngine('up', step.faults);
        return;
      case 'drop':
        this.declared.delete(step.slot);
        return;
      case 'rename':
        this.rename(step.slot);
        return;
      case 'remote-edit':
        this.editRemotely(step.slot, step.variant);
        return;
      case 'remote-delete':
        this.deleteRemotely(step.slot);
        return;
      default:
        await this.callEngine(step.do, step.faults);
    }
  }

  private declare(slot: Slot, variant: number): void {
    this.declared.set(slot, { name: this.declared.get(slot)?.name ?? slot, variant });
  }

  private rename(slot: Slot): void {
    const declared = this.declared.get(slot);
    if (declared === undefined) return;
    const name = declared.name === slot ? `${slot}-renamed` : slot;
    this.declared.set(slot, { ...declared, name });
  }

  private async callEngine(call: 'up' | 'refresh' | 'destroy', faults: readonly Strike[]): Promise<void> {
    const { emulator, secrets } = this.scene;
    const handles = faults.map(({ kind, ...target }) => emulator.fault({ ...strikes[kind], ...target }));
    const sent = emulator.journal.length;
    const startedAtMs = this.scene.clock.now();
    const steps = await (call === 'up' ? this.engine.up(this.program) : this.engine[call]());
    for (const handle of handles) handle.remove();
    expectUniqueIds(this.engine.state);
    expectNoSecret(secrets, steps, this.engine.warnings);
    for (const { startedAt } of emulator.journal.slice(sent)) {
      // Each operation has its own deadline; there are as many as resources, twice that for replacements.
      if (startedAt - startedAtMs > 12 * 300_000) throw new Error('I9: a request left after every deadline');
    }
    this.recover(steps);
  }

  /**
   * What the operator is told to do where the outcome of a create is unknown: look, and bring what did happen into the
   * stack before the next `up`, as `edge-policy recover` and `import` do.
   */
  private recover({ errors }: Outcome): void {
    if (!errors.some(({ message }) => /^Outcome unknown|not sure which rule/.test(message))) return;
    const { emulator } = this.scene;
    for (const declaration of this.program) {
      if (declaration.type !== 'IpPolicyRule' || this.isInState(declaration)) continue;
      const [mine, ...others] = liveObjects(emulator.state()).filter(
        (live) => isAs(live, declaration.inputs) && !this.engine.state.some(({ id }) => id === live.id),
      );
      for (const { id } of others) if (!this.hasTwin(declaration)) emulator.remote.deleteRule(id);
      if (mine === undefined) continue;
      const inputs = present(mine.inputs);
      this.engine.state.push({ ...declaration, id: mine.id, inputs, outputs: inputs, initErrors: [] });
    }
  }

  private isInState({ type, name }: Declaration): boolean {
    return this.engine.state.some((entry) => entry.type === type && entry.name === name);
  }

  private hasTwin({ inputs }: Declaration): boolean {
    return this.program.filter((other) => JSON.stringify(other.inputs) === JSON.stringify(inputs)).length > 1;
  }

  private entryOf(slot: Slot): Entry | undefined {
    const name = this.declared.get(slot)?.name ?? slot;
    const { type } = declarationOf(slot, 0, name);
    return this.engine.state.find((entry) => entry.type === type && entry.name === name);
  }

  private editRemotely(slot: Slot, variant: number): void {
    const { remote } = this.scene.emulator;
    const id = this.entryOf(slot)?.id ?? '';
    if (!liveObjects(this.scene.emulator.state()).some((live) => live.id === id)) return;
    if (slot === 'policy')
      remote.setTcpModule(id, { enabled: true, value: `{"inbound":[],"theirs":${variant}}` });
    else if (slot === 'filter')
      remote.setHttpsModule(id, { enabled: false, allow: [`theirs${variant}`], deny: [] });
    else remote.updateRule(id, this.ruleEdit(variant));
  }

  private ruleEdit(variant: number): Bag {
    const cidr = `198.51.100.${variant}/32`;
    const isFree = this.scene.emulator.state().rules.every((rule) => !sameCidr(rule.cidr, cidr));
    if (variant === 0 && isFree) return { cidr };
    return variant % 2 === 0 ? { description: 'theirs' } : { metadata: 'theirs', description: '' };
  }

  private deleteRemotely(slot: Slot): void {
    const { remote } = this.scene.emulator;
    const id = this.entryOf(slot)?.id ?? '';
    if (slot === 'policy') remote.deleteTcpModule(id);
    else if (slot === 'filter') remote.deleteHttpsModule(id);
    else remote.deleteRule(id);
  }
}

const present = (bag: Bag): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([, value]) => value !== undefined));
