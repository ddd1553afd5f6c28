import type { Dice } from '../support/dice';
import type { RunStep, Step } from './life';
import { goodWeather, type NetworkFault, type Weather } from './network/faults';
import { declarationsOf } from '../support/random-program/declarations';
import { type EditKind, everyEdit } from '../support/random-program/edits';
import { mended, placesOf, type Program } from '../support/random-program/program';

/** The name of a second entry of state. */
export const secondName = (name: string): string => `${name}-again`;

/** Writes a life down: people edit a program, and every call of the CLI takes it as it is then. */
export class Script {
  readonly steps: Step[] = [];
  private program: Program = [];
  private readonly past: Program[] = [];
  /** The program as of the last step. */
  private written: Program = [];

  constructor(readonly dice: Dice) {}

  edit(...kinds: readonly (EditKind | 'undo')[]): void {
    for (const kind of kinds) {
      if (kind === 'undo') this.program = this.past.pop() ?? this.program;
      else {
        this.past.push(this.program);
        this.program = everyEdit[kind](this.program, this.dice);
      }
    }
  }

  run(command: RunStep['do'], more: Partial<Omit<RunStep, 'do'>> = {}): void {
    this.write();
    this.steps.push({ do: command, weather: this.weather(), parallel: 16, ...more });
    // If check refuses a declaration, it is corrected.
    this.program = mended(this.program);
  }

  /** A preview in which something is unknown. */
  preview(): void {
    this.write();
    const declaration = this.dice.maybe(declarationsOf(this.program));
    if (declaration === undefined) return;
    const input = this.dice.pick(Object.keys(declaration.inputs));
    this.steps.push({ do: 'preview', unknown: { name: declaration.name, input } });
  }

  /** Two entries of state have one id. The program declares one of them, or both until a refusal says so. */
  duplicate(): void {
    this.write();
    const part = this.dice.maybe(this.program);
    if (part === undefined) return;
    this.steps.push({ do: 'duplicate', name: part.name });
    if (this.dice.isLucky(0.4)) return;
    const { program } = this;
    const second = { ...part, name: secondName(part.name), aliases: [] };
    this.program = [...program, second];
    this.run('up');
    this.run('refresh');
    this.program = this.dice.isLucky(0.5)
      ? program
      : program.map((other) => (other === part ? second : other));
  }

  wait(ms: number): void {
    this.steps.push({ do: 'wait', ms });
  }

  /** Another user makes a rule, or changes what the last run may have made. */
  others(kind: 'add' | 'edit' | 'move' | 'delete'): void {
    const place = this.dice.maybe(this.written.flatMap(placesOf));
    if (kind === 'add') this.steps.push({ do: 'others', deed: { kind } });
    else if (place !== undefined) this.steps.push({ do: 'others', deed: { kind, place } });
  }

  weather(faults: readonly NetworkFault[] = []): Weather {
    return { ...goodWeather(this.dice.below(1_000)), faults };
  }

  /** The name of a resource, for an option of the CLI; an empty program has none. */
  name(option: 'target' | 'replace'): Partial<RunStep> {
    const name = this.dice.maybe(this.program)?.name;
    return name === undefined ? {} : { [option]: name };
  }

  /** The edits since the last call belong to the next step. */
  write(): void {
    if (this.program === this.written) return;
    this.written = this.program;
    this.steps.push({ do: 'program', program: this.program });
  }
}
