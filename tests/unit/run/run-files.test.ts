import fs from 'node:fs';
import path from 'node:path';
import { UserError } from '../../../provider/src/errors/user-error';
import { OtherProcesses } from '../../../provider/src/run/other-processes';
import { EngineCall, Ownership } from '../../../provider/src/run/ownership';
import { RunFiles } from '../../../provider/src/run/run-files';
import { deferCleanup } from '../../support/cleanup';
import { folderOf } from '../../support/folder';

const x = 'ipr_x';
const same = { changes: false };

/** Processes that count each other's files. */
function startRun() {
  const folder = folderOf();
  const all: RunFiles[] = [];
  deferCleanup(() => {
    for (const files of all) files.close();
  });
  const newFiles = (service = 'https://api.example.com'): RunFiles => {
    const files = new RunFiles(folder, `1-${all.length}`, () => service);
    for (const other of all) {
      files.count(other.name);
      other.count(files.name);
    }
    all.push(files);
    return files;
  };
  const newProcess = (service?: string): Ownership => new Ownership(new OtherProcesses(newFiles(service)));
  return { newProcess, newFiles, folder, one: newProcess(), other: newProcess() };
}

const by = (): EngineCall => new EngineCall();
const [y, z] = ['ipr_y', 'ipr_z'];
const made = { areLive: false };

describe('processes of one run', () => {
  test('delete nothing that another one keeps, and read what is written later, too', () => {
    const { one, other } = startRun();
    one.declare([x], same);
    one.declare([y], same);
    expect([x, y, z].map((key) => other.beginDelete(key, by()))).toEqual([false, false, true]);
    expect(other.isOwnedByOther(x)).toBe(true);
    // Nor is it what a create of this process has made whose answer was lost.
    expect(['ipr_lost', x].map((key) => other.mayBeLost(key))).toEqual([true, false]);
    one.release([x]);
    expect(other.isOwnedByOther(x)).toBe(false);
    expect(other.beginDelete(x, by())).toBe(true);
  });

  test('take over nothing that another one keeps or deletes, and tell the two apart', () => {
    const { one, other } = startRun();
    one.declare([x], same);
    one.beginDelete(y, by());
    expect(other.claim([x], by())).toEqual({ outcome: 'owned', key: x });
    expect(other.claim([z, y], by())).toEqual({ outcome: 'busy', key: y });
    expect(one.isOwnedByOther(z)).toBe(false);
    one.callOffDelete(y);
    // It was seen before the delete ended: once more, after another look.
    expect(other.claim([y], by())).toEqual({ outcome: 'busy', key: y });
    expect(other.claim([y], by())).toEqual({ outcome: 'claimed' });
    expect(one.beginDelete(y, by())).toBe(false);
    expect(one.isNewlyOwned(y, by())).toBe(true);
  });

  test('make what another one has deleted, and not while it may still send the delete', () => {
    const { one, other } = startRun();
    one.beginDelete('module x', by());
    expect(other.claim(['module x'], by(), made)).toEqual({ outcome: 'busy', key: 'module x' });
    one.noteDeleted('module x');
    expect(other.claim(['module x'], by(), made)).toEqual({ outcome: 'claimed' });
    expect(one.beginDelete('module x', by())).toBe(false);
  });

  test('neither take nor change what another one has failed to delete, as it may still go', () => {
    const { one, other } = startRun();
    one.beginDelete(x, by());
    one.failDelete(x);
    for (const areLive of [true, true, false])
      expect(other.claim([x], by(), { areLive })).toEqual({ outcome: 'busy', key: x });
    expect(other.isClaimedElsewhere(x)).toBe(true);
    expect(other.deletedInRun().has(x)).toBe(false);
  });

  test('take what another one has deleted for gone, however late the engine names it', () => {
    const { one: giver, other: call } = startRun();
    for (const key of [x, 'module y']) {
      giver.beginDelete(key, by());
      giver.noteDeleted(key);
      expect(call.declare([key], same)).toEqual({ isAnyDeleted: true });
    }
  });

  test('know before they change an object that another one has taken it over', () => {
    const { one: giver, other: taker } = startRun();
    expect(taker.claim([x], by())).toEqual({ outcome: 'claimed' });
    giver.beginUpdate([x], by());
    expect(giver.isClaimedElsewhere(x)).toBe(true);
    taker.release([x]);
    expect(giver.isClaimedElsewhere(x)).toBe(false);
  });

  test('know nothing of each other on different services', () => {
    const { newProcess, other } = startRun();
    newProcess('https://staging.example.com').declare([x], same);
    expect(other.isOwnedByOther(x)).toBe(false);
  });

  test('take in what is written only in part once it is whole', () => {
    const { newFiles, other, folder } = startRun();
    const one = newFiles();
    const line = JSON.stringify(['https://api.example.com', 'keep', x, 'ipr_ÿ']);
    const bytes = Buffer.from(`${line}\n`);
    for (const part of [bytes.subarray(0, -4), bytes.subarray(-4, -1)]) {
      fs.appendFileSync(path.join(folder, one.name), part);
      expect(other.isOwnedByOther(x)).toBe(false);
    }
    fs.appendFileSync(path.join(folder, one.name), bytes.subarray(-1));
    expect([x, 'ipr_ÿ'].map((key) => other.isOwnedByOther(key))).toEqual([true, true]);
  });

  test('are not needed on a full disk as long as there is one, and another one must find all that it has told', () => {
    const folder = folderOf();
    const newFiles = (name: string): RunFiles => new RunFiles(folder, name, () => '');
    const [first, second] = ['first', 'second'].map(newFiles) as [RunFiles, RunFiles];
    const alone = new Ownership(new OtherProcesses(first));
    const write = fs.appendFileSync;
    const full = jest.spyOn(fs, 'appendFileSync').mockImplementation((file, text) => {
      write(file, String(text).slice(0, 9));
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    deferCleanup(() => {
      full.mockRestore();
    });
    alone.declare([x], same);
    expect(alone.beginDelete(y, by())).toBe(true);
    expect(() => {
      first.count('second');
    }).toThrow('no space left on device');
    expect(() => alone.declare([z], same)).toThrow(UserError);
    full.mockRestore();
    second.count('first');
    first.count('second');
    const other = new Ownership(new OtherProcesses(second));
    expect([x, y, z].map((key) => other.isOwnedByOther(key))).toEqual([true, false, false]);
    expect(other.claim([y], by())).toEqual({ outcome: 'busy', key: y });
    alone.release([x]);
    alone.beginUpdate([z], by());
    expect([x, z].map((key) => other.isOwnedByOther(key))).toEqual([false, true]);
  });

  test('fail before they send anything if a file cannot be read or written, and not afterwards', () => {
    const { newFiles, other, folder } = startRun();
    const one = newFiles();
    fs.appendFileSync(path.join(folder, one.name), 'no entry\n');
    expect(() => other.beginDelete(x, by())).toThrow(
      /cannot tell each other which objects they own[^]*set PULUMI_HOME/,
    );
    expect(() => other.claim([x], by())).toThrow(UserError);
    const files = new RunFiles(folder, 'closed', () => '');
    files.close();
    const closed = new Ownership(new OtherProcesses(files));
    expect(() => closed.declare([x], same)).toThrow(UserError);
    closed.noteCreated(x, by());
  });
});
