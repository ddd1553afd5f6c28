import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ruleKey } from '../../../provider/src/ownership/object-key';
import { Ownership } from '../../../provider/src/ownership/ownership';
import { ProcessFiles } from '../../../provider/src/ownership/process-files';
import { deferCleanup } from '../../support/cleanup';

const PORT = 40_123;
const x = ruleKey('ipr_x');
const same = { changes: false, replaces: [] };

function startRun() {
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'edge-policy-keeps-'));
  deferCleanup(() => {
    fs.rmSync(temporary, { recursive: true });
  });
  const warnings: string[] = [];
  const newProcess = (service = 'https://api.example.com') =>
    new ProcessFiles({
      enginePort: PORT,
      service: () => service,
      warn: (line) => warnings.push(line),
      temporary,
    });
  const [mine] = [path.join(temporary, `edge-policy-${process.getuid?.() ?? 'user'}`)];
  return { newProcess, warnings, mine, folder: path.join(mine, String(PORT)) };
}

describe('processes of one run', () => {
  test('delete nothing that another one keeps', () => {
    const { newProcess } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.own([x]);
    one.ownSet('ipp_1/set', 'ipr_y\nipr_z\n');
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
    one.ownSet('set', 'ipr_x\n');
    expect(other.isOwned(x)).toBe(true);
    one.ownSet('set', '');
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

  test('take what another one has deleted for gone, however late the engine names it', () => {
    const { newProcess } = startRun();
    const [giver, owner] = [new Ownership(newProcess()), new Ownership(newProcess())];
    const same = { changes: false, replaces: [] };
    giver.beginDelete(x);
    giver.noteGone(x);
    expect(owner.declare(x, same)).toBe('gone');
    expect(owner.declareSet('set', () => 'ipr_x\n', same)).toEqual({ isAnyGone: true });
    giver.beginDelete('module y');
    giver.noteGone('module y');
    expect(owner.declare('module y', same)).toBe('gone');
    owner.declare(ruleKey('ipr_z'), same);
    expect(giver.beginDelete(ruleKey('ipr_z'))).toBe(false);
  });

  test('know before they change an object that another one has taken it over', () => {
    const { newProcess } = startRun();
    const [giver, taker] = [new Ownership(newProcess()), new Ownership(newProcess())];
    expect(taker.take([x])).toEqual({ outcome: 'taken' });
    giver.beginUpdate(x);
    expect(giver.isClaimedElsewhere(x)).toBe(true);
    taker.withdraw([x]);
    expect(giver.isClaimedElsewhere(x)).toBe(false);
  });

  test('know nothing of each other on different services', () => {
    const { newProcess } = startRun();
    newProcess('https://staging.example.com').own([x]);
    expect(newProcess().isOwned(x)).toBe(false);
  });

  test('know what one has written that has ended since', () => {
    const { newProcess, folder } = startRun();
    const [one, other] = [newProcess(), newProcess()];
    one.own([x]);
    other.own([ruleKey('ipr_y')]);
    const [file = ''] = fs.readdirSync(folder).filter((name) => {
      return fs.readFileSync(path.join(folder, name), 'utf8').includes(x);
    });
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    fs.renameSync(path.join(folder, file), path.join(folder, `${pid}-${'0'.repeat(16)}`));
    expect(newProcess().isOwned(x)).toBe(true);
  });

  test('take in a set that is written only in part once it is whole', () => {
    const { newProcess, folder } = startRun();
    const one = newProcess();
    one.own([x]);
    const [file = ''] = fs.readdirSync(folder);
    const other = newProcess();
    fs.appendFileSync(path.join(folder, file), '= 2 set\nipr_y\nip');
    expect(other.isOwned(ruleKey('ipr_y'))).toBe(false);
    fs.appendFileSync(path.join(folder, file), 'r_z\n');
    expect(other.isOwned(ruleKey('ipr_z'))).toBe(true);
  });
});

test('the take and the delete of two processes never both win, whichever comes first', () => {
  for (const isTakerFirst of [true, false]) {
    const { newProcess } = startRun();
    const [giver, taker] = [new Ownership(newProcess()), new Ownership(newProcess())];
    const take = (): boolean => taker.take([x]).outcome === 'taken';
    const remove = (): boolean => giver.beginDelete(x);
    const [first, second] = isTakerFirst ? [take(), remove()] : [remove(), take()];
    expect([first, second]).toEqual([true, false]);
  }
});

test('a process that finds no live writer empties the folder: the port is used once more', () => {
  const { newProcess, folder, mine } = startRun();
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.chmodSync(mine, 0o700);
  fs.writeFileSync(path.join(folder, `${pid}-${'0'.repeat(16)}`), `"https://api.example.com"\n+ ${x}\n`);
  expect(newProcess().beginDelete(x)).toBe(true);
  expect(fs.readdirSync(folder)).toHaveLength(1);
});

test('what runs of the days before have left is removed, and a run that still lives is not', () => {
  const { newProcess, mine } = startRun();
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  for (const [port, writer] of [
    ['1', pid],
    ['2', process.pid],
  ] as const) {
    fs.mkdirSync(path.join(mine, port), { recursive: true, mode: 0o700 });
    fs.writeFileSync(path.join(mine, port, `${writer}-${'0'.repeat(16)}`), '');
    fs.utimesSync(path.join(mine, port), dayBefore, dayBefore);
  }
  newProcess().own([x]);
  expect(fs.readdirSync(mine).sort()).toEqual(['2', String(PORT)]);
});

describe('a folder that cannot be trusted', () => {
  const unusable = (spoil: (folder: string, mine: string) => void) => {
    const run = startRun();
    spoil(run.folder, run.mine);
    const files = run.newProcess();
    // A diff with changes tells nothing, and neither does it write before it looks.
    expect([...files.deleting()]).toEqual([]);
    expect(files.isClaimed(x)).toBe(false);
    files.own([x]);
    expect(run.warnings).toEqual([]);
    expect(files.isOwned(x)).toBe(false);
    expect(files.take([x])).toEqual({ outcome: 'taken' });
    return run.warnings;
  };

  test.each<[string, (folder: string, mine: string) => void]>([
    [
      'others may write to it',
      (_, mine) => {
        fs.mkdirSync(mine);
        fs.chmodSync(mine, 0o777);
      },
    ],
    [
      'is a link',
      (_, mine) => {
        fs.symlinkSync(os.tmpdir(), mine);
      },
    ],
    [
      'is a file',
      (_, mine) => {
        fs.writeFileSync(mine, '');
      },
    ],
  ])('%s: that is said when something is deleted or taken', (_why, spoil) => {
    expect(unusable(spoil)[0]).toContain('cannot be used');
  });

  test('a planted link in the place of a file is not followed', () => {
    const { newProcess, folder, warnings } = startRun();
    const one = newProcess();
    one.own([x]);
    const target = path.join(folder, 'target');
    fs.writeFileSync(target, `"https://api.example.com"\n+ ${ruleKey('ipr_y')}\n`);
    fs.symlinkSync(target, path.join(folder, `1-${'1'.repeat(16)}`));
    expect(one.isOwned(ruleKey('ipr_y'))).toBe(false);
    expect(warnings).toHaveLength(1);
  });
});

test('a set of 10,000 rules is kept and found', () => {
  const { newProcess } = startRun();
  const [one, other] = [new Ownership(newProcess()), new Ownership(newProcess())];
  const ids = Array.from({ length: 10_000 }, (_, index) => `ipr_${index}\n`).join('');
  one.declareSet('set', () => ids, same);
  expect(other.isOwnedByOther(ruleKey('ipr_9999'))).toBe(true);
  expect(other.isOwnedByOther(ruleKey('ipr_10000'))).toBe(false);
});
