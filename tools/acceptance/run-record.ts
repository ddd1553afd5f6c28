// What for: remembers on disk what a run may create, before it sends anything, and removes it again. All that a run creates carries
// its mark; what has no mark, and an id that no create of the run was answered with, is never touched.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { safe } from '../../provider/src/api/base-url';
import { fieldsOf, type Service } from './service';

/** For so long after a create without an answer its rule may still appear in the list. */
const SETTLE_MS = 15_000;

interface Content {
  /** A hash of address and key: with another key nothing would be found, and all be forgotten. */
  readonly account: string;
  readonly mark: string;
  /** The policies that rules of the run are in, and the paths of its modules. */
  readonly policies: readonly string[];
  readonly modules: readonly string[];
  readonly ids: readonly string[];
  /** Since when a create has had no answer. */
  readonly openSinceMs?: number | undefined;
}

export class RunRecord {
  private constructor(
    readonly file: string,
    private content: Content,
  ) {}

  static begin(folder: string, places: Pick<Content, 'account' | 'policies' | 'modules'>): RunRecord {
    const mark = `edge-policy-acceptance-${randomBytes(6).toString('hex')}`;
    mkdirSync(folder, { recursive: true });
    const record = new RunRecord(path.join(folder, `${mark}.json`), { ...places, mark, ids: [] });
    record.write({});
    return record;
  }

  /** Of runs that were killed, or are under way. */
  static all(folder: string): RunRecord[] {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return names
      .map((name) => path.join(folder, name))
      .map((file) => new RunRecord(file, JSON.parse(readFileSync(file, 'utf8')) as Content));
  }

  get mark(): string {
    return this.content.mark;
  }

  isOf(account: string): boolean {
    return this.content.account === account;
  }

  /** Before a create, or a run of the CLI. */
  open(): void {
    this.write({ openSinceMs: Date.now() });
  }

  /** After it, with the id that was answered. */
  close(id?: unknown): void {
    this.write({
      openSinceMs: undefined,
      ids: typeof id === 'string' ? [...this.content.ids, id] : this.content.ids,
    });
  }

  /** Removes what the run has created, and forgets the run if nothing stays; resolves with what does. */
  async clean(service: Service, settleMs = SETTLE_MS): Promise<string[]> {
    const { openSinceMs, ids, modules, policies, mark } = this.content;
    if (openSinceMs !== undefined) await service.pause(openSinceMs + settleMs - Date.now());
    const kept = new Set<string>();
    const ask = async (method: string, target: string): Promise<string> => {
      const { status, text } = await service.ask(method, target);
      if (status >= 300 && status !== 404) kept.add(`${target} (${method} answered ${status})`);
      return text;
    };
    for (const id of ids) await ask('DELETE', rulePath(id));
    const rules = (await service.rules()).filter(({ ip_policy: policy }) =>
      policies.includes(String(fieldsOf(policy)['id'])),
    );
    // Each by itself: a list may leave texts out.
    for (const target of [...modules, ...rules.map(({ id }) => rulePath(String(id)))])
      if ((await ask('GET', target)).includes(mark)) await ask('DELETE', target);
    if (kept.size === 0) rmSync(this.file, { force: true });
    return [...kept];
  }

  private write(change: Partial<Content>): void {
    this.content = { ...this.content, ...change };
    writeFileSync(`${this.file}~`, JSON.stringify(this.content), { mode: 0o600 });
    renameSync(`${this.file}~`, this.file);
  }
}

const rulePath = (id: string): string => `/ip_policy_rules/${safe(id)}`;
