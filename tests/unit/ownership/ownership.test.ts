import { ruleKey } from '../../../provider/src/ownership/object-key';
import { OtherProcesses } from '../../../provider/src/ownership/other-processes';
import { Ownership } from '../../../provider/src/ownership/ownership';

const x = ruleKey('ipr_x');
const same = { changes: false, replaces: [] };
const changed = { changes: true, replaces: [] };
const replaced = { changes: true, replaces: ['action'] };
const ids =
  (...names: string[]) =>
  (): string =>
    names.map((name) => `${name}\n`).join('');

describe('an object is kept', () => {
  test('from a diff without changes', () => {
    const ownership = new Ownership();
    ownership.declare(x, same);
    expect(ownership.isOwnedByOther(x)).toBe(true);
    expect(ownership.beginDelete(x)).toBe(false);
  });

  test('not from a diff with changes, which an option may turn into a replacement', () => {
    const ownership = new Ownership();
    ownership.declare(x, changed);
    expect(ownership.beginDelete(x)).toBe(true);
  });

  test('although another entry of state, which shares it after an interrupted run, is replaced', () => {
    const ownership = new Ownership();
    ownership.declare(x, same);
    ownership.declare(x, replaced);
    expect(ownership.beginDelete(x)).toBe(false);
  });

  test('from the beginning of an update, and after a create', () => {
    const ownership = new Ownership();
    ownership.beginUpdate(x);
    ownership.noteCreated(ruleKey('ipr_y'));
    expect([x, ruleKey('ipr_y')].map((key) => ownership.beginDelete(key))).toEqual([false, false]);
  });

  test('if it is a rule of a set, from everybody but that set', () => {
    const ownership = new Ownership();
    ownership.declareSet('set', ids('ipr_x'), same);
    ownership.noteCreated(ruleKey('ipr_y'), 'set');
    const keys = [x, ruleKey('ipr_y')];
    expect(keys.map((key) => ownership.isOwnedByOther(key, 'set'))).toEqual([false, false]);
    expect(keys.map((key) => ownership.isOwnedByOther(key, 'other'))).toEqual([true, true]);
    expect(keys.map((key) => ownership.isOwnedByOther(key))).toEqual([true, true]);
  });

  test('by a set that is updated: the rules that stay', () => {
    const ownership = new Ownership();
    ownership.declareSet('set', ids('ipr_x', 'ipr_y'), changed);
    expect(ownership.isOwnedByOther(x)).toBe(false);
    ownership.beginSetUpdate('set', 'ipr_x\n');
    expect(ownership.isOwnedByOther(x)).toBe(true);
    expect(ownership.isOwnedByOther(ruleKey('ipr_y'))).toBe(false);
  });

  test('no longer by a set that is replaced', () => {
    const ownership = new Ownership();
    ownership.declareSet('set', ids('ipr_x'), same);
    ownership.declareSet('set', ids('ipr_x'), replaced);
    expect(ownership.isOwnedByOther(x)).toBe(false);
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
    expect(ownership.declare(x, first)).toBe('declared');
    expect(ownership.declare(x, second)).toBe('shared');
  });

  test('is seen between a set and a single rule, whichever comes first', () => {
    const [one, other] = [new Ownership(), new Ownership()];
    one.declare(x, same);
    expect(one.declareSet('set', ids('ipr_y', 'ipr_x'), same)).toEqual({ shared: 'ipr_x', isAnyGone: false });
    other.declareSet('set', ids('ipr_y', 'ipr_x'), changed);
    expect(other.declare(x, same)).toBe('shared');
  });

  test('is seen between two sets, and two entries of one set', () => {
    const ownership = new Ownership();
    ownership.declareSet('set', ids('ipr_x'), same);
    expect(ownership.declareSet('other', ids('ipr_x'), same).shared).toBe('ipr_x');
    expect(ownership.declareSet('set', ids('ipr_x'), same).shared).toBe('ipr_x');
    expect(ownership.declareSet('third', ids('ipr_z'), same).shared).toBeUndefined();
  });

  test('modules of two types on one edge are two objects', () => {
    const ownership = new Ownership();
    ownership.declare('TcpEdgeTrafficPolicyModule edgtcp_1', same);
    expect(ownership.declare('OtherModule edgtcp_1', same)).toBe('declared');
  });
});

describe('a create takes over what is live', () => {
  test('unless another resource goes on owning it', () => {
    const ownership = new Ownership();
    ownership.declare(x, same);
    expect(ownership.take([ruleKey('ipr_y'), x])).toEqual({ outcome: 'declared', key: x });
    expect(ownership.isOwnedByOther(ruleKey('ipr_y'))).toBe(false);
    ownership.noteCreated(ruleKey('ipr_z'));
    expect(ownership.take([ruleKey('ipr_z')], 'set').outcome).toBe('declared');
  });

  test('later if another resource changes it', () => {
    const ownership = new Ownership();
    ownership.declare(x, changed);
    expect(ownership.take([x]).outcome).toBe('busy');
    ownership.beginUpdate(x);
    expect(ownership.take([x]).outcome).toBe('busy');
  });

  test('again after an attempt that failed in part', () => {
    const ownership = new Ownership();
    ownership.noteCreated(x);
    ownership.noteFailed(x);
    expect(ownership.take([x]).outcome).toBe('taken');
    expect(ownership.isOwnedByOther(x)).toBe(true);
  });

  test('and gives it back if it cannot use it', () => {
    const ownership = new Ownership();
    ownership.take([x]);
    ownership.withdraw([x]);
    expect(ownership.beginDelete(x)).toBe(true);
  });

  test('and owns it newly: what is beside it may still be missing', () => {
    const ownership = new Ownership();
    ownership.take([x], 'set');
    ownership.declareSet('third', ids('ipr_y'), same);
    expect(ownership.isNewlyOwned(x, 'other')).toBe(true);
    expect(ownership.isNewlyOwned(x, 'set')).toBe(false);
    expect(ownership.isNewlyOwned(ruleKey('ipr_y'), 'other')).toBe(false);
  });

  test('even if a diff has kept it, once it turns out to be gone', () => {
    const ownership = new Ownership();
    ownership.declare(x, same);
    ownership.forgetDeclared(x);
    expect(ownership.take([x]).outcome).toBe('taken');
    ownership.forgetDeclared(x);
    expect(ownership.isDeclared(x)).toBe(true);
  });
});

describe('a diff that comes after the delete of its object', () => {
  test('cannot be taken, so that no change overtakes the delete', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x);
    expect(ownership.take([x])).toEqual({ outcome: 'busy', key: x });
    ownership.endDelete(x);
    expect(ownership.take([x])).toEqual({ outcome: 'taken' });
  });

  test('is told that it is gone, or may be', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x);
    expect(ownership.declare(x, same)).toBe('gone');
    expect(ownership.declareSet('set', ids('ipr_x'), same).isAnyGone).toBe(true);
    ownership.noteGone(x);
    expect(ownership.declare(x, replaced)).toBe('declared');
    expect(ownership.isGone(x)).toBe(true);
  });

  test('finds it where the delete failed', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x);
    ownership.endDelete(x);
    expect(ownership.declare(x, same)).toBe('declared');
  });

  test('finds what a create has made anew', () => {
    const ownership = new Ownership();
    ownership.beginDelete(x);
    ownership.noteGone(x);
    ownership.noteCreated(x);
    expect(ownership.isGone(x)).toBe(false);
  });
});

describe('the other processes of the run are told', () => {
  const start = () => {
    const told: string[] = [];
    const others = Object.assign(new OtherProcesses(), {
      own: (keys: readonly string[]) => void told.push(`own ${keys.join()}`),
      ownSet: (set: string, idList: string) =>
        void told.push(`${set}: ${idList.trim().replaceAll('\n', ' ')}`),
      noteTaken: (keys: readonly string[]) => void told.push(`taken ${keys.join()}`),
    });
    return { told, ownership: new Ownership(others) };
  };

  test('of an object that no change may touch, and of one once its update begins', () => {
    const { told, ownership } = start();
    const y = ruleKey('ipr_y');
    ownership.declare(x, same);
    ownership.declare(y, changed);
    expect(told).toEqual([`own ${x}`]);
    ownership.beginUpdate(y);
    ownership.noteCreated(ruleKey('ipr_z'));
    expect(told.slice(1)).toEqual([`own ${y}`, `taken ${ruleKey('ipr_z')}`]);
  });

  test('of the rules of an unchanged set, and that it gives them up where it is replaced after all', () => {
    const { told, ownership } = start();
    ownership.declareSet('set', ids('ipr_x', 'ipr_y'), same);
    expect(ownership.declareSet('set', ids('ipr_x'), replaced)).toEqual({ isAnyGone: false });
    expect(told).toEqual(['set: ipr_x ipr_y', 'set: ']);
  });

  test('of no set that changes, neither before nor when it is replaced', () => {
    const { told, ownership } = start();
    ownership.declareSet('set', ids('ipr_x'), changed);
    ownership.declareSet('set', ids('ipr_x'), replaced);
    expect(told).toEqual([]);
  });

  test('of no set of which a rule is gone, however many others it has', () => {
    const { told, ownership } = start();
    ownership.beginDelete(x);
    expect(ownership.declareSet('set', ids('ipr_x', 'ipr_y'), same)).toEqual({ isAnyGone: true });
    expect(ownership.declareSet('other', ids('ipr_z'), same)).toMatchObject({ isAnyGone: false });
    expect(told).toEqual(['other: ipr_z']);
  });
});
