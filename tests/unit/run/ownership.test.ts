import { OtherProcesses, type Tell } from '../../../provider/src/run/other-processes';
import { Owner, Ownership } from '../../../provider/src/run/ownership';

const x = 'ipr_x';
const [y, z] = ['ipr_y', 'ipr_z'];
const same = { changes: false };
const changed = { changes: true };
/** Another call of the engine, such as a delete. */
const another = (): Owner => new Owner();

describe('an object is kept', () => {
  test('from a diff without changes', () => {
    const ownership = new Ownership();
    ownership.declare([x], same);
    expect(ownership.isOwnedByOther(x)).toBe(true);
    expect(ownership.beginDelete(x, another())).toBe(false);
  });

  test('not from a diff with changes, which an option may turn into a replacement', () => {
    const ownership = new Ownership();
    ownership.declare([x], changed);
    expect(ownership.beginDelete(x, another())).toBe(true);
  });

  test('from the beginning of an update, and after a create', () => {
    const ownership = new Ownership();
    ownership.beginUpdate([x], another());
    ownership.noteCreated(y, another());
    expect([x, y].map((key) => ownership.beginDelete(key, another()))).toEqual([false, false]);
  });

  test('from every call but the one that has made it', () => {
    const ownership = new Ownership();
    const owner = new Owner();
    ownership.beginUpdate([x], owner);
    ownership.noteCreated(y, owner);
    expect([x, y].map((key) => ownership.isOwnedByOther(key, owner))).toEqual([false, false]);
    expect([x, y].map((key) => ownership.isOwnedByOther(key, another()))).toEqual([true, true]);
    expect([x, y].map((key) => ownership.beginDelete(key, another()))).toEqual([false, false]);
    expect([x, y].map((key) => ownership.beginDelete(key, owner))).toEqual([true, true]);
  });

  test('by an update: what it keeps', () => {
    const ownership = new Ownership();
    ownership.declare([x], changed);
    expect(ownership.isOwnedByOther(x)).toBe(false);
    ownership.beginUpdate([x], another());
    expect([x, y].map((key) => ownership.isOwnedByOther(key))).toEqual([true, false]);
  });
});

describe('one object under two resources', () => {
  test.each([
    [same, same],
    [same, changed],
    [changed, same],
    [changed, changed],
  ])('is seen at the second diff: %j and %j', (first, second) => {
    const ownership = new Ownership();
    expect(ownership.declare([x, y], first)).toEqual({ isAnyDeleted: false });
    expect(ownership.declare([z, y], second)).toEqual({ shared: y, isAnyDeleted: false });
    expect(ownership.isOwnedByOther(z)).toBe(false);
  });

  test('modules of two types on one edge are two objects', () => {
    const ownership = new Ownership();
    ownership.declare(['TcpEdgeTrafficPolicyModule edgtcp_1'], same);
    expect(ownership.declare(['OtherModule edgtcp_1'], same)).toEqual({ isAnyDeleted: false });
  });
});

describe('a create takes over what is live', () => {
  test('unless another resource goes on owning it', () => {
    const ownership = new Ownership();
    ownership.declare([x], same);
    expect(ownership.take([y, x], another())).toEqual({ outcome: 'owned', key: x });
    expect(ownership.isOwnedByOther(y)).toBe(false);
    ownership.noteCreated(z, another());
    expect(ownership.take([z], another()).outcome).toBe('owned');
  });

  test('later if another resource changes it', () => {
    const ownership = new Ownership();
    ownership.declare([x], changed);
    expect(ownership.take([x], another()).outcome).toBe('busy');
    ownership.beginUpdate([x], another());
    expect(ownership.take([x], another()).outcome).toBe('busy');
  });

  test('and gives it back if it cannot use it', () => {
    const ownership = new Ownership();
    ownership.take([x], another());
    ownership.withdraw([x]);
    expect(ownership.beginDelete(x, another())).toBe(true);
  });

  test('and owns it newly: what is beside it may still be missing', () => {
    const ownership = new Ownership();
    const owner = new Owner();
    ownership.take([x], owner);
    ownership.declare([y], same);
    expect(ownership.isNewlyOwned(x, another())).toBe(true);
    expect(ownership.isNewlyOwned(x, owner)).toBe(false);
    expect(ownership.isNewlyOwned(y, another())).toBe(false);
  });

  test('even if a diff has kept it, once it turns out to be gone', () => {
    const ownership = new Ownership();
    ownership.declare([x], same);
    ownership.forgetDeclared(x);
    expect(ownership.take([x], another()).outcome).toBe('taken');
    ownership.forgetDeclared(x);
    expect(ownership.isOwnedToTheEnd(x)).toBe(true);
  });
});

describe('a diff that comes after the delete of its object', () => {
  test('cannot be taken, so that no change overtakes the delete', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x, another());
    expect(ownership.take([x], another())).toEqual({ outcome: 'busy', key: x });
    ownership.callOffDelete(x);
    expect(ownership.take([x], another())).toEqual({ outcome: 'taken' });
  });

  test('cannot be taken after a delete that failed, as it may still go, until one succeeds', () => {
    const ownership = new Ownership();
    ownership.beginDelete('module 1', another());
    ownership.failDelete('module 1');
    expect(ownership.take(['module 1'], another())).toEqual({ outcome: 'busy', key: 'module 1' });
    expect(ownership.beginDelete('module 1', another())).toBe(true);
    ownership.noteDeleted('module 1');
    expect(ownership.take(['module 1'], another(), { areLive: false })).toEqual({ outcome: 'taken' });
  });

  test('is told that it is gone, or may be, and a delete that is repeated keeps it', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x, another());
    expect(ownership.declare([x, y], same)).toEqual({ isAnyDeleted: true });
    expect(ownership.beginDelete(x, another())).toBe(false);
    ownership.noteDeleted(x);
    expect(ownership.declare([x], same)).toEqual({ isAnyDeleted: true });
    expect(ownership.isDeletedHere(x)).toBe(true);
  });

  test('finds it where the delete failed', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x, another());
    ownership.failDelete(x);
    expect(ownership.declare([x], same)).toEqual({ isAnyDeleted: false });
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
    const tell = (word: Tell, keys: readonly string[]): void => void told.push(`${word} ${keys.join()}`);
    const heard = () => [
      new Map<string, Tell>(deleted !== undefined && told.length > 0 ? [[deleted, 'delete']] : []),
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
    ownership.withdraw([x]);
    expect(told).toEqual([`keep ${x},${y}`, `release ${x}`]);
  });

  test('of nothing that this process has deleted, as they know that it is gone', () => {
    const { told, ownership } = start();
    ownership.beginDelete(x, another());
    ownership.declare([x, y], same);
    ownership.withdraw([x]);
    ownership.beginUpdate([x, z], another());
    ownership.withdraw([x, z]);
    expect(told).toEqual([`delete ${x}`, `keep ${y}`, 'release ', `keep ${z}`, `release ${z}`]);
  });
});
