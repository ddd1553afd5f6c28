import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { OtherProcesses, Taking } from './other-processes';
import { isRuleKey, ruleKey } from './object-key';

/** The first character of a line, which says what the line tells of its key. */
const TELLS = { own: '+', take: '!', release: '-', beginDelete: 'x', endDelete: 'o' } as const;
type Tell = keyof typeof TELLS;

const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs.constants;
/** Windows has no such flag, and no links that an ordinary user can plant. */
const O_NOFOLLOW = (fs.constants as Partial<typeof fs.constants>).O_NOFOLLOW ?? 0;

const OWN_ONLY = 0o077;
const FILE_NAME = /^(\d+)-[0-9a-f]{16}$/;
const OLD_MS = 24 * 3_600_000;

/** How one process of a run reaches the others. */
export interface FilesOptions {
  /** The port of the engine: all processes that it has started know it, and no other engine has it. */
  readonly enginePort: number;
  /** The address of the service that holds the objects of this process. */
  readonly service: () => string;
  /** Called if the others cannot be reached. */
  readonly warn: (line: string) => void;
  /** The folder for temporary files; defaults to the system's. */
  readonly temporary?: string;
}

/**
 * Tells the other processes of a run by files. A process that deletes or takes an object writes this before it reads the files
 * of the others. If two processes see each other, both give way, and the one that takes tries again. No lock is needed.
 */
export class ProcessFiles implements OtherProcesses {
  private ownFile: number | undefined;
  private ownName = '';
  private isUsable = true;
  private readonly readers = new Map<string, Reader>();
  private readonly folder: string;

  constructor(private readonly options: FilesOptions) {
    const { temporary = os.tmpdir(), enginePort } = options;
    // By uid, as the user of a container may have no name.
    this.folder = path.join(temporary, `edge-policy-${process.getuid?.() ?? 'user'}`, String(enginePort));
  }

  own(keys: readonly string[]): void {
    this.tell('own', keys);
  }

  ownSet(set: string, idList: string): void {
    const lines = idList.split('\n').length - 1;
    this.write(`= ${lines} ${set}\n${idList}`);
  }

  noteTaken(keys: readonly string[]): void {
    this.tell('take', keys);
  }

  release(keys: readonly string[]): void {
    this.tell('release', keys);
  }

  take(keys: readonly string[]): Taking {
    return this.claim(keys, (other, key) => other.ended.delete(key) || other.deleting.has(key));
  }

  make(key: string): Taking {
    return this.claim([key], (other) => other.deleting.has(key));
  }

  private claim(keys: readonly string[], isBusy: (other: Reader, key: string) => boolean): Taking {
    this.tell('take', keys);
    const others = this.readOthers();
    for (const key of keys) {
      const isDeclared = others.some((other) => other.owns(key));
      if (!isDeclared && !others.some((other) => isBusy(other, key))) continue;
      this.tell('release', keys);
      return { outcome: isDeclared ? 'declared' : 'busy', key };
    }
    return { outcome: 'taken' };
  }

  isOwned(key: string): boolean {
    return this.readOthers().some((other) => other.owns(key));
  }

  isNewlyOwned(key: string): boolean {
    return this.readOthers().some((other) => other.taken.has(key));
  }

  deleting(): ReadonlySet<string> {
    const others = this.lookAtOthers();
    // A successful delete of a rule never ends here: the rule stays in `deleting`. One that has ended was not carried out.
    const modules = others.flatMap(({ ended }) => [...ended].filter((key) => !isRuleKey(key)));
    return new Set([...others.flatMap(({ deleting }) => [...deleting]), ...modules]);
  }

  isClaimed(key: string): boolean {
    return this.lookAtOthers().some(({ deleting, taken }) => deleting.has(key) || taken.has(key));
  }

  beginDelete(key: string): boolean {
    this.tell('beginDelete', [key]);
    if (!this.isOwned(key)) return true;
    this.tell('endDelete', [key]);
    return false;
  }

  endDelete(key: string): void {
    this.tell('endDelete', [key]);
  }

  /** Closes the files. They stay in the folder, as they count until the run ends. */
  close(): void {
    this.isUsable = false;
    if (this.ownFile !== undefined) fs.closeSync(this.ownFile);
    for (const reader of this.readers.values()) reader.close();
  }

  private tell(what: Tell, keys: readonly string[]): void {
    if (keys.length > 0) this.write(keys.map((key) => `${TELLS[what]} ${key}\n`).join(''));
  }

  private write(text: string): void {
    if (!this.isUsable) return;
    try {
      this.ownFile ??= this.open();
      fs.writeSync(this.ownFile, text);
    } catch {
      this.isUsable = false;
    }
  }

  private open(): number {
    ownFolder(path.dirname(this.folder));
    ownFolder(this.folder);
    bestEffort(() => {
      clearOld(path.dirname(this.folder));
    });
    const names = fs.readdirSync(this.folder);
    if (!names.some(isWriterAlive)) for (const name of names) fs.rmSync(path.join(this.folder, name));
    this.ownName = `${process.pid}-${randomBytes(8).toString('hex')}`;
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW;
    const file = fs.openSync(path.join(this.folder, this.ownName), flags, 0o600);
    fs.writeSync(file, `${JSON.stringify(this.options.service())}\n`);
    return file;
  }

  /** Reads on in the files of the other processes, for a delete or a take: warns if they cannot be read. */
  private readOthers(): Reader[] {
    const others = this.lookAtOthers();
    if (!this.isUsable)
      this.options.warn(
        `The processes of one run cannot tell each other which objects they own, as the folder ${this.folder} cannot be used. ` +
          `An object that moves between providers in this run may be deleted: check with "pulumi refresh".`,
      );
    return others;
  }

  /** Reads on without a warning; none if the files cannot be read. */
  private lookAtOthers(): Reader[] {
    if (!this.isUsable) return [];
    try {
      this.ownFile ??= this.open();
      for (const name of fs.readdirSync(this.folder)) {
        if (name === this.ownName || !FILE_NAME.test(name) || this.readers.has(name)) continue;
        this.readers.set(name, new Reader(path.join(this.folder, name)));
      }
      const readers = [...this.readers.values()];
      for (const reader of readers) reader.readOn();
      return readers.filter(({ service }) => service === this.options.service());
    } catch {
      this.isUsable = false;
      return [];
    }
  }
}

/** What another process owns, takes and deletes, as far as its file has been read. */
class Reader {
  service = '';
  readonly taken = new Set<string>();
  readonly deleting = new Set<string>();
  /** Objects whose delete has ended, with success or without. */
  readonly ended = new Set<string>();
  private readonly owned = new Set<string>();
  private readonly sets = new Map<string, ReadonlySet<string>>();
  private readonly file: number;
  private text = '';
  private offset = 0;
  private hasBegun = false;

  constructor(name: string) {
    this.file = fs.openSync(name, O_RDONLY | O_NOFOLLOW);
    requireOwn(fs.fstatSync(this.file), name);
  }

  close(): void {
    fs.closeSync(this.file);
  }

  owns(key: string): boolean {
    return this.owned.has(key) || this.taken.has(key) || [...this.sets.values()].some((ids) => ids.has(key));
  }

  readOn(): void {
    const { size } = fs.fstatSync(this.file);
    if (size <= this.offset) return;
    const bytes = Buffer.alloc(size - this.offset);
    const length = fs.readSync(this.file, bytes, 0, bytes.length, this.offset);
    this.offset += length;
    const lines = (this.text + bytes.toString('utf8', 0, length)).split('\n');
    // The text after the last line break is not complete yet.
    const rest = lines.pop() ?? '';
    this.text = [...this.takeIn(lines), rest].join('\n');
  }

  /** Takes complete entries in. Returns the lines of a set that is not complete yet. */
  private takeIn(lines: readonly string[]): readonly string[] {
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (!this.hasBegun) {
        this.service = JSON.parse(line) as string;
        this.hasBegun = true;
        continue;
      }
      const [, count, set] = /^= (\d+) (.*)$/.exec(line) ?? [];
      if (count === undefined || set === undefined) this.note(line[0], line.slice(2));
      else {
        const end = at + 1 + Number(count);
        if (end > lines.length) return lines.slice(at);
        this.sets.set(set, new Set(lines.slice(at + 1, end).map(ruleKey)));
        at = end - 1;
      }
    }
    return [];
  }

  private note(tell: string | undefined, key: string): void {
    if (tell === TELLS.own) this.owned.add(key);
    else if (tell === TELLS.take) this.taken.add(key);
    else if (tell === TELLS.beginDelete) this.deleting.add(key);
    else if (tell === TELLS.endDelete) {
      this.deleting.delete(key);
      this.ended.add(key);
    } else {
      this.owned.delete(key);
      this.taken.delete(key);
    }
  }
}

/** Makes sure that a folder exists and that only this user can write to it. */
function ownFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const stats = fs.lstatSync(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is not a folder`);
  requireOwn(stats, folder);
}

/** On Windows nothing is checked: the folder for temporary files is the user's own. */
function requireOwn({ uid, mode }: fs.Stats, name: string): void {
  if (process.getuid === undefined) return;
  if (uid !== process.getuid() || (mode & OWN_ONLY) !== 0) throw new Error(`${name} belongs to others, too`);
}

function isWriterAlive(name: string): boolean {
  const [, pid] = FILE_NAME.exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Ignores failures: another run may be clearing the same files. */
function bestEffort(work: () => void): void {
  try {
    work();
  } catch {
    // A later run will remove what is left.
  }
}

/** Removes the files of runs of earlier days. */
function clearOld(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const run = path.join(folder, name);
    const isOld = Date.now() - fs.lstatSync(run).mtimeMs > OLD_MS;
    if (isOld && !fs.readdirSync(run).some(isWriterAlive)) fs.rmSync(run, { recursive: true });
  }
}
