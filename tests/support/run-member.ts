import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { deferCleanup } from './cleanup';

const CHILD = [
  '--require',
  join(__dirname, 'typescript-require.cjs'),
  join(__dirname, 'run-member-child.ts'),
];

interface MemberOptions {
  /** The address of its engine. */
  readonly engine: string;
  /** The variables that say where the folder is. */
  readonly places: Readonly<Record<string, string>>;
  readonly service?: string;
}

/** A process of a run, which really ends. */
export class RunMember {
  private readonly lines: AsyncIterator<string>;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>) {
    this.lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** Starts a process; it has joined its run, or has said why it cannot. */
  static async start({ engine, places, service = 'https://api.example.com' }: MemberOptions) {
    const child = spawn(process.execPath, [...CHILD, engine, service], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...places },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const member = new RunMember(child);
    deferCleanup(() => member.kill());
    return { member, joined: await member.answer() };
  }

  own(key: string): Promise<unknown> {
    return this.ask('own', key);
  }

  isOwned(key: string): Promise<unknown> {
    return this.ask('isOwned', key);
  }

  beginDelete(key: string): Promise<unknown> {
    return this.ask('beginDelete', key);
  }

  take(key: string): Promise<unknown> {
    return this.ask('take', key);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }

  private ask(method: string, argument: unknown): Promise<unknown> {
    this.child.stdin.write(`${JSON.stringify([method, argument])}\n`);
    return this.answer();
  }

  private async answer(): Promise<unknown> {
    const { value } = (await this.lines.next()) as { readonly value?: string };
    return JSON.parse(value ?? '"ended"') as unknown;
  }
}
