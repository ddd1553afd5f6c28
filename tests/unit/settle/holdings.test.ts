import { rulePlace } from '../../../provider/src/rule/rule';
import { Holdings, type Claim } from '../../../provider/src/settle/holdings';
import { VirtualClock } from '../../support/virtual-clock';

const place = rulePlace({ ipPolicyId: 'ipp_1', action: 'allow', cidr: '10.0.0.0/8' });
const own: Claim = { id: 'ipr_1', place, holder: 'ipr_1' };
const ofSet = (holder: string): Claim => ({ ...own, holder });

function inProgram(): Holdings {
  const holdings = new Holdings();
  holdings.activity.noteCheck();
  return holdings;
}

describe('what protects an object from a delete', () => {
  test('another resource that declares it, but nothing where the program was not seen', () => {
    const holdings = new Holdings();
    holdings.declare(own, false);
    expect(holdings.isProtected(own)).toBe(false);
    holdings.activity.noteCheck();
    holdings.declare(own, false);
    expect(holdings.isProtected(own)).toBe(true);
    expect(holdings.isProtected(ofSet('set'))).toBe(true);
  });

  test('a resource that changes may still be replaced: only its update tells that a delete is about another one', () => {
    const holdings = inProgram();
    holdings.declare(own, true);
    expect(holdings.isProtected(own)).toBe(false);
    expect(holdings.isProtected(ofSet('set'))).toBe(true);
    holdings.hold(own);
    expect(holdings.isProtected(own)).toBe(true);
  });

  test('a set that keeps it; the set itself may delete it', () => {
    const holdings = inProgram();
    holdings.declareSet({ holder: 'a', kept: () => [ofSet('a')] });
    expect(holdings.isProtected(own)).toBe(true);
    expect(holdings.isProtected(ofSet('a'))).toBe(false);
    holdings.release(ofSet('a'));
    expect(holdings.isProtected(own)).toBe(false);
  });
});

describe('one object under two resources', () => {
  test('is found whichever is seen first, and not for a resource that is asked about twice', () => {
    const sets = inProgram();
    expect(sets.declareSet({ holder: 'a', kept: () => [ofSet('a')] })).toBeUndefined();
    expect(sets.declareSet({ holder: 'b', kept: () => [ofSet('b')] })).toEqual(ofSet('b'));
    expect(sets.declare(own, false)).toBe('a');

    const single = inProgram();
    expect([single.declare(own, false), single.declare(own, true)]).toEqual([undefined, undefined]);
    expect(single.declareSet({ holder: 'a', kept: () => [ofSet('a')] })).toEqual(ofSet('a'));

    const two = inProgram();
    two.wants.noteKept(place);
    two.wants.noteKept(place);
    expect([two.declare(own, false), two.declare(own, false)]).toEqual([undefined, 'ipr_1']);
    expect(two.declare({ ...own, id: 'ipr_2', holder: 'ipr_2' }, false)).toBeUndefined();

    const written = inProgram();
    written.hold(own);
    expect(written.declare(own, false)).toBe('ipr_1');
  });

  test('a set that is alone is not listed', () => {
    const holdings = inProgram();
    const kept = jest.fn(() => [ofSet('a')]);
    holdings.declareSet({ holder: 'a', kept });
    expect(kept).not.toHaveBeenCalled();
    expect(holdings.isTaken('ipr_1')).toBe(true);
    expect(kept).toHaveBeenCalledTimes(1);
  });
});

describe('an object that is gone', () => {
  test('may be created again by its resource, but not beside one that this run has written', () => {
    const holdings = inProgram();
    holdings.declare(own, false);
    expect([holdings.isTaken(own.id), holdings.isTaken(own.id, true)]).toEqual([true, false]);
    holdings.hold(own);
    expect(holdings.isTaken(own.id, true)).toBe(true);
    holdings.hold(own, 'failed');
    expect(holdings.isTaken(own.id)).toBe(false);
  });

  test('is missing to whoever keeps it, until it is made again', () => {
    const holdings = inProgram();
    const kept = jest.fn(() => [own]);
    expect(holdings.isAnyGoneOrGoing(kept)).toBe(false);
    expect(kept).not.toHaveBeenCalled();
    holdings.release(ofSet('a'));
    expect(holdings.isAnyGoneOrGoing(kept)).toBe(true);
    expect(holdings.isGone('ipr_2')).toBe(false);
    holdings.hold(own);
    expect(holdings.isAnyGoneOrGoing(kept)).toBe(false);
  });
});

describe('a delete asks first', () => {
  const start = () => {
    const clock = new VirtualClock();
    const holdings = inProgram();
    const warnings: string[] = [];
    const run = { clock, warn: (line: string) => void warnings.push(line) };
    const leave = (claim: Claim) =>
      holdings.activity.during(() => holdings.activity.waiting(() => holdings.leave(claim, run)));
    return { clock, holdings, warnings, leave };
  };

  test('goes on where nobody wants the place, nor where the wish is that of a resource that stays there itself', async () => {
    const { clock, holdings, leave } = start();
    expect(await clock.run(leave(own))).toBe(true);
    holdings.wants.noteKept(place);
    holdings.wants.add(place);
    expect(await clock.run(leave(own))).toBe(true);
  });

  test('waits for what the engine names together, once', async () => {
    const { clock, holdings, leave } = start();
    const left = leave(own);
    await clock.advance(50);
    holdings.activity.noteCheck();
    await clock.advance(100);
    holdings.declare(own, false);
    expect(await clock.run(left)).toBe(false);
    expect(await leave({ ...own, id: 'ipr_2', place: 'other', holder: 'ipr_2' })).toBe(true);
  });

  test('waits for the successor, and goes without a request once that stands for the object', async () => {
    const { clock, holdings, leave } = start();
    holdings.wants.add(place);
    const left = leave(own);
    await clock.advance(50);
    expect(holdings.offerAt(place)).toBe(own);
    holdings.hold(ofSet('b'));
    expect(await clock.run(left)).toBe(false);
    expect(holdings.offerAt(place)).toBeUndefined();
  });

  test('goes on where the successor has made an object of its own', async () => {
    const { clock, holdings, leave } = start();
    holdings.wants.addMany('b', () => new Set([place]));
    const left = leave(own);
    await clock.advance(50);
    holdings.wants.end('b', 'done');
    expect(await clock.run(left)).toBe(true);
  });

  test('goes on where a set has made an object there, and still works on others', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.addMany('b', () => new Set([place, 'another']));
    const left = leave(own);
    await clock.advance(50);
    holdings.hold({ ...ofSet('b'), id: 'ipr_2' });
    expect(await clock.run(left)).toBe(true);
    expect(warnings).toEqual([]);
    expect([holdings.wants.isWanted(place), holdings.wants.isWanted('another')]).toEqual([false, true]);
  });

  test.each([
    ['keeps the object where one went first and nothing has begun since: the engine has stopped', false],
    ['goes on where one went first and its successor has begun', true],
  ])('%s', async (_, hasBegun) => {
    const { clock, holdings, leave } = start();
    for (const wanted of [place, 'other']) holdings.wants.add(wanted);
    expect(await clock.run(leave(own))).toBe(true);
    const other = leave({ id: 'other', place: 'other', holder: 'other' });
    holdings.release(own);
    if (hasBegun) await holdings.activity.during(() => Promise.resolve());
    const outcome = expect(other);
    await clock.run(hasBegun ? outcome.resolves.toBe(true) : outcome.rejects.toThrow('other was kept'));
    expect(holdings.wants.isWanted('other')).toBe(true);
  });

  test('goes on where a set has given up a rule first: nothing has to begin because of that', async () => {
    const { clock, holdings, leave } = start();
    for (const wanted of [place, 'other']) holdings.wants.add(wanted);
    expect(await clock.run(leave(ofSet('a')))).toBe(true);
    const other = leave({ id: 'other', place: 'other', holder: 'other' });
    holdings.release(ofSet('a'));
    expect(await clock.run(other)).toBe(true);
  });

  test('keeps the object where the successor failed', async () => {
    const { clock, holdings, leave } = start();
    holdings.wants.add(place);
    const left = leave(own);
    const outcome = expect(left).rejects.toThrow('ipr_1 was kept');
    await clock.advance(50);
    holdings.wants.end(place, 'failed');
    await clock.run(outcome);
  });

  test('keeps the object where another failure has stopped the run before the successor', async () => {
    const { clock, holdings, leave } = start();
    holdings.wants.add(place);
    const left = expect(leave(own)).rejects.toThrow('ipr_1 was kept');
    await holdings.activity.during(() => Promise.reject(new Error('elsewhere'))).catch(() => undefined);
    await clock.run(left);
  });

  test('of two that wait for each other one goes first, and says that nothing stands in its place for a moment', async () => {
    const { clock, holdings, warnings, leave } = start();
    const other: Claim = { id: 'edge', place: 'edge', holder: 'edge' };
    holdings.wants.add(place);
    holdings.wants.add('edge');
    const both = [own, other].map((claim) =>
      leave(claim).then((mayGo) => {
        if (mayGo) holdings.wants.end(claim === own ? 'edge' : place, 'done');
        return mayGo;
      }),
    );
    expect(await clock.run(Promise.all(both))).toEqual([true, true]);
    expect(warnings).toEqual([expect.stringContaining('is deleted before the resource that takes it over')]);
  });
});
