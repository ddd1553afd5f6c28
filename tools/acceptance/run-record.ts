// What for: remembers on disk what a run may create, before it sends anything, and removes it again. All that a run creates carries
// its mark; what has no mark, and an id that no create of the run was answered with, is never touched.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
    const { openSinceMs, ids, modules } = this.content;
    if (openSinceMs !== undefined) await service.pause(openSinceMs + settleMs - Date.now());
    const kept = new Set<string>();
    const remove = async (target: string): Promise<void> => {
      const { status } = await service.ask('DELETE', target);
      if (status >= 300 && status !== 404) kept.add(`${target} (DELETE answered ${status})`);
    };
    for (const id of ids) await remove(`/ip_policy_rules/${id}`);
    for (const module of modules)
      if ((await service.ask('GET', module)).text.includes(this.mark)) await remove(module);
    for (const id of await this.markedRules(service)) await remove(`/ip_policy_rules/${id}`);
    if (kept.size === 0) rmSync(this.file, { force: true });
    return [...kept];
  }

  private async markedRules(service: Service): Promise<string[]> {
    const { policies, mark } = this.content;
    const ids: string[] = [];
    for (const { ip_policy: policy, ...rule } of await service.rules()) {
      if (!policies.includes(String(fieldsOf(policy)['id']))) continue;
      const id = String(rule['id']);
      // A list may leave texts out.
      const { text } = await service.ask('GET', `/ip_policy_rules/${id}`);
      if (text.includes(mark)) ids.push(id);
    }
    return ids;
  }

  private write(change: Partial<Content>): void {
    this.content = { ...this.content, ...change };
    writeFileSync(`${this.file}~`, JSON.stringify(this.content), { mode: 0o600 });
    renameSync(`${this.file}~`, this.file);
  }
}
