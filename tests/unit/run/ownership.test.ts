import { OtherProcesses } from '../../../provider/src/run/other-processes';
import type { Word } from '../../../provider/src/run/run-files';
import { EngineCall, Ownership } from '../../../provider/src/run/ownership';

const x = 'ipr_x';
const [y, z] = ['ipr_y', 'ipr_z'];
const same = { changes: false };
const changed = { changes: true };
/** Another call of the engine, such as a delete. */
const another = (): EngineCall => new EngineCall();

test.each([same, changed])(
  'a create takes over what a diff has named, once it turns out to be gone',
  (diff) => {
    const ownership = new Ownership();
    ownership.declare([x], diff);
    ownership.forgetDeclared(x);
    expect(ownership.claim([x], another()).outcome).toBe('claimed');
    ownership.forgetDeclared(x);
    expect(ownership.isOwnedToTheEnd(x)).toBe(true);
  },
);

describe('a diff that comes after the delete of its object', () => {
  test('cannot be taken, so that no change overtakes the delete', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x, another());
    expect(ownership.claim([x], another())).toEqual({ outcome: 'busy', key: x });
    ownership.callOffDelete(x);
    expect(ownership.claim([x], another())).toEqual({ outcome: 'claimed' });
  });

  test('cannot be taken after a delete that failed, as it may still go, until one succeeds', () => {
    const ownership = new Ownership();
    ownership.beginDelete('module 1', another());
    ownership.failDelete('module 1');
    expect(ownership.claim(['module 1'], another())).toEqual({ outcome: 'busy', key: 'module 1' });
    expect(ownership.beginDelete('module 1', another())).toBe(true);
    ownership.noteDeleted('module 1');
    expect(ownership.claim(['module 1'], another(), { areLive: false })).toEqual({ outcome: 'claimed' });
  });

  test('finds what a create has made anew', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x, another());
    ownership.noteDeleted(x);
    ownership.noteCreated(x, another());
    expect(ownership.isDeletedHere(x)).toBe(false);
  });
});

describe('the other processes of the run are told', () => {
  /** Another process of the run deletes an object as soon as it has been told something. */
  const start = (deleted?: string) => {
    const told: string[] = [];
    const tell = (word: Word, keys: readonly string[]): void => void told.push(`${word} ${keys.join()}`);
    const heard = () => [
      new Map<string, Word>(deleted !== undefined && told.length > 0 ? [[deleted, 'delete']] : []),
    ];
    return { told, ownership: new Ownership(new OtherProcesses({ tell, heard })) };
  };

  test('of objects that no change may touch, and of those that an update keeps, once it begins', () => {
    const { told, ownership } = start();
    ownership.declare([x, z], same);
    ownership.declare([y], changed);
    expect(told).toEqual([`keep ${x},${z}`]);
    ownership.beginUpdate([y], another());
    ownership.noteCreated('ipr_new', another());
    expect(told.slice(1)).toEqual([`keep ${y}`, `take ipr_new`]);
  });

  test('before they are asked what they delete, and that what is gone has no owner', () => {
    const { told, ownership } = start(x);
    expect(ownership.declare([x, y], same)).toEqual({ isAnyDeleted: true });
    ownership.release([x]);
    expect(told).toEqual([`keep ${x},${y}`, `release ${x}`]);
  });

  test('of nothing that this process has deleted, as they know that it is gone', () => {
    const { told, ownership } = start();
    ownership.beginDelete(x, another());
    ownership.declare([x, y], same);
    ownership.release([x]);
    ownership.beginUpdate([x, z], another());
    ownership.release([x, z]);
    expect(told).toEqual([`delete ${x}`, `keep ${y}`, 'release ', `keep ${z}`, `release ${z}`]);
  });
});
