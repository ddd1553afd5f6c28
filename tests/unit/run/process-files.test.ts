import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ruleKey } from '../../../provider/src/run/object-key';
import { UserError } from '../../../provider/src/errors/user-error';
import { OtherProcesses } from '../../../provider/src/run/other-processes';
import { Owner, Ownership } from '../../../provider/src/run/ownership';
import { ProcessFiles } from '../../../provider/src/run/process-files';
import { deferCleanup } from '../../support/cleanup';

const x = ruleKey('ipr_x');
const same = { changes: false };

/** Processes that count each other's files. */
function startRun() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'edge-policy-files-'));
  const all: ProcessFiles[] = [];
  deferCleanup(() => {
    for (const files of all) files.close();
    fs.rmSync(folder, { recursive: true });
  });
  const newFiles = (service = 'https://api.example.com'): ProcessFiles => {
    const files = new ProcessFiles({ folder, name: `1-${all.length}`, service: () => service });
    for (const other of all) {
      files.count(other.name);
      other.count(files.name);
    }
    all.push(files);
    return files;
  };
  const newProcess = (service?: string): OtherProcesses => new OtherProcesses(newFiles(service));
  return { newProcess, newFiles, folder };
}

describe('processes of one run', () => {
  test('delete nothing that another one keeps', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.own([x]);
    one.own([ruleKey('ipr_y'), ruleKey('ipr_z')]);
    const keys = [x, ruleKey('ipr_y'), ruleKey('ipr_z'), ruleKey('ipr_other')];
    expect(keys.map((key) => other.beginDelete(key))).toEqual([false, false, false, true]);
    expect(keys.map((key) => one.beginDelete(key))).toEqual([true, true, true, true]);
  });

  test('read what is written later, too', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    other.own([ruleKey('ipr_other')]);
    expect(other.isOwned(x)).toBe(false);
    one.own([x]);
    expect(other.isOwned(x)).toBe(true);
    one.release([x]);
    expect(other.isOwned(x)).toBe(false);
  });

  test('take over nothing that another one keeps or deletes, and tell the two apart', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.own([x]);
    one.beginDelete(ruleKey('ipr_y'));
    expect(other.take([x])).toEqual({ outcome: 'declared', key: x });
    expect(other.take([ruleKey('ipr_z'), ruleKey('ipr_y')])).toEqual({
      outcome: 'busy',
      key: ruleKey('ipr_y'),
    });
    expect(one.isOwned(ruleKey('ipr_z'))).toBe(false);
    one.endDelete(ruleKey('ipr_y'));
    // It was seen before the delete ended: once more, after another look.
    expect(other.take([ruleKey('ipr_y')])).toEqual({ outcome: 'busy', key: ruleKey('ipr_y') });
    expect(other.take([ruleKey('ipr_y')])).toEqual({ outcome: 'taken' });
    expect(one.beginDelete(ruleKey('ipr_y'))).toBe(false);
    expect(one.isNewlyOwned(ruleKey('ipr_y'))).toBe(true);
  });

  test('make what another one has deleted, and not while it may still send the delete', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.beginDelete('module x');
    expect(other.make('module x')).toEqual({ outcome: 'busy', key: 'module x' });
    one.endDelete('module x');
    expect(other.make('module x')).toEqual({ outcome: 'taken' });
    expect(one.beginDelete('module x')).toBe(false);
  });

  test('neither take nor change what another one has failed to delete, as it may still go', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.beginDelete(x);
    one.failDelete(x);
    expect(other.take([x])).toEqual({ outcome: 'busy', key: x });
    expect(other.take([x])).toEqual({ outcome: 'busy', key: x });
    expect(other.make(x)).toEqual({ outcome: 'busy', key: x });
    expect(other.isClaimed(x)).toBe(true);
    expect(other.deleting().has(x)).toBe(false);
  });

  test('take what another one has deleted for gone, however late the engine names it', () => {
    const { newProcess } = startRun();
    const [giver, owner] = [new Ownership(newProcess()), new Ownership(newProcess())];
    giver.beginDelete(x, new Owner());
    giver.noteGone(x);
    expect(owner.declare([x], same)).toEqual({ isAnyGone: true });
    giver.beginDelete('module y', new Owner());
    giver.noteGone('module y');
    expect(owner.declare(['module y'], same)).toEqual({ isAnyGone: true });
    owner.declare([ruleKey('ipr_z')], same);
    expect(giver.beginDelete(ruleKey('ipr_z'), new Owner())).toBe(false);
  });

  test('know before they change an object that another one has taken it over', () => {
    const { newProcess } = startRun();
    const [giver, taker] = [new Ownership(newProcess()), new Ownership(newProcess())];
    expect(taker.take([x], new Owner())).toEqual({ outcome: 'taken' });
    giver.beginUpdate([x], new Owner());
    expect(giver.isClaimedElsewhere(x)).toBe(true);
    taker.withdraw([x]);
    expect(giver.isClaimedElsewhere(x)).toBe(false);
  });

  test('know nothing of each other on different services', () => {
    const { newProcess } = startRun();
    newProcess('https://staging.example.com').own([x]);
    expect(newProcess().isOwned(x)).toBe(false);
  });

  test('take in what is written only in part once it is whole', () => {
    const { newFiles, newProcess, folder } = startRun();
    const one = newFiles();
    const other = newProcess();
    const line = JSON.stringify(['https://api.example.com', 'own', x, ruleKey('ipr_ÿ')]);
    const bytes = Buffer.from(`${line}\n`);
    for (const part of [bytes.subarray(0, -4), bytes.subarray(-4, -1)]) {
      fs.appendFileSync(path.join(folder, one.name), part);
      expect(other.isOwned(x)).toBe(false);
    }
    fs.appendFileSync(path.join(folder, one.name), bytes.subarray(-1));
    expect([x, ruleKey('ipr_ÿ')].map((key) => other.isOwned(key))).toEqual([true, true]);
  });

  test('count what a file counts that they count', () => {
    const { folder } = startRun();
    const newStranger = (name: string): ProcessFiles => {
      const files = new ProcessFiles({ folder, name, service: () => 'https://api.example.com' });
      deferCleanup(() => {
        files.close();
      });
      return files;
    };
    const [one, two, three] = [newStranger('a'), newStranger('b'), newStranger('c')];
    three.count('b');
    new OtherProcesses(one).own([x]);
    expect(new OtherProcesses(three).isOwned(x)).toBe(false);
    two.count('a');
    expect(new OtherProcesses(three).isOwned(x)).toBe(true);
  });

  test('fail before they send anything if a file cannot be read or written, and not afterwards', () => {
    const { newFiles, newProcess, folder } = startRun();
    const one = newFiles();
    const other = newProcess();
    fs.appendFileSync(path.join(folder, one.name), 'no entry\n');
    expect(() => other.beginDelete(x)).toThrow(
      /cannot tell each other which objects they own[^]*set PULUMI_HOME/,
    );
    expect(() => other.take([x])).toThrow(UserError);
    const closed = new ProcessFiles({ folder, name: 'closed', service: () => '' });
    closed.close();
    expect(() => {
      new OtherProcesses(closed).own([x]);
    }).toThrow(UserError);
    new OtherProcesses(closed).noteTaken([x]);
  });
});

test('the take and the delete of two processes never both win, whichever comes first', () => {
  for (const isTakerFirst of [true, false]) {
    const { newProcess } = startRun();
    const [giver, taker] = [new Ownership(newProcess()), new Ownership(newProcess())];
    const take = (): boolean => taker.take([x], new Owner()).outcome === 'taken';
    const remove = (): boolean => giver.beginDelete(x, new Owner());
    const [first, second] = isTakerFirst ? [take(), remove()] : [remove(), take()];
    expect([first, second]).toEqual([true, false]);
  }
});

test('a set of 10,000 rules is kept and found', () => {
  const { newProcess } = startRun();
  const [one, other] = [new Ownership(newProcess()), new Ownership(newProcess())];
  const keys = Array.from({ length: 10_000 }, (_, index) => ruleKey(`ipr_${index}`));
  one.declare(keys, same);
  expect(other.isOwnedByOther(ruleKey('ipr_9999'))).toBe(true);
  expect(other.isOwnedByOther(ruleKey('ipr_10000'))).toBe(false);
});
