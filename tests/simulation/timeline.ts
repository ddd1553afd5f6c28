import type { DirectAnswer } from '../../emulator/src/index';
import type { Reply } from '../../provider/src/api/transport';
import type { Sent } from './network/network';
import type { FaultKind } from './network/faults';

/** The events of a life, moment by moment, for debugging. */
export class Timeline {
  readonly lines: string[] = [];
  private readonly names = new Map<string, string>();

  constructor(
    private readonly nowMs: () => number,
    private readonly isKept: boolean,
  ) {}

  note(text: () => string): void {
    if (!this.isKept) return;
    this.lines.push(`${(this.nowMs() / 1000).toFixed(3).padStart(9)} s  ${this.short(text())}`);
  }

  sent({ number, process, method, target, body }: Sent, fault: FaultKind | undefined): void {
    this.note(() => {
      const content = body === undefined ? '' : ` ${JSON.stringify(body)}`;
      const hit = fault === undefined ? '' : `   << ${fault}`;
      return `  #${number} plugin ${process}: ${method} ${target}${content}${hit}`;
    });
  }

  effect({ number }: Sent, { status, text }: DirectAnswer): void {
    this.note(() => `  #${number} the service: ${status} ${status >= 400 || text.length < 300 ? text : ''}`);
  }

  reply({ number }: Sent, reply: Reply): void {
    this.note(
      () =>
        `  #${number} is answered: ${reply.kind === 'answer' ? reply.status : `no response (${reply.reason})`}`,
    );
  }

  /** Ids differ from life to life and are long, so they are numbered as they appear. */
  private short(text: string): string {
    return text.replace(
      /\b(ipr|ipp|edgtcp|edghts|edghtsrt)_\w{27}(?:\/[0-9a-f]{12}\b)?/g,
      (id, kind: string) => {
        const name = this.names.get(id) ?? `${id.includes('/') ? 'set' : kind}_${this.names.size + 1}`;
        this.names.set(id, name);
        return name;
      },
    );
  }
}
