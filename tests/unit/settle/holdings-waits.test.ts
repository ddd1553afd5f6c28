// Whom a delete waits for, how long, and what it says; what counts as another resource is in holdings.test.ts.
import { Holdings, type Claim } from '../../../provider/src/settle/holdings';
import { VirtualClock } from '../../support/virtual-clock';

const place = 'ipp_1 allow 10.0.0.0/8';
const own: Claim = { id: 'ipr_1', place, holder: 'ipr_1' };
const ofSet = (holder: string): Claim => ({ ...own, holder });
const elsewhere: Claim = { id: 'ipr_2', place: 'ipp_1 allow 10.1.0.0/16', holder: 'ipr_2' };

const start = () => {
  const clock = new VirtualClock();
  const holdings = new Holdings();
  holdings.activity.noteCheck();
  const warnings: string[] = [];
  const run = { clock, warn: (line: string) => void warnings.push(line) };
  const leave = () =>
    holdings.activity.during(() => holdings.activity.waiting(() => holdings.leave(own, run)));
  const beganAt = clock.epochMs();
  return { clock, holdings, warnings, run, leave, elapsed: () => clock.epochMs() - beganAt };
};

describe('a delete goes at once, and says nothing', () => {
  test('where the create is that of the resource that stands there', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.noteKept(place);
    holdings.wants.add(place);
    expect([await clock.run(leave()), warnings]).toEqual([true, []]);
  });

  test('where the set that names the place replaces itself', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.noteKept('set');
    holdings.wants.addMany('set', () => new Set([place]));
    expect([await clock.run(leave()), warnings]).toEqual([true, []]);
  });

  test('where diff has told that the set holds its rule there already, also when check names it once more', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.addMany('set', () => new Set([place]));
    holdings.wants.correct('set', () => new Set());
    holdings.wants.addMany('set', () => new Set([place]));
    expect([await clock.run(leave()), warnings]).toEqual([true, []]);
  });

  test('where the set has done its work without the object', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.addMany('set', () => new Set([place]));
    holdings.wants.end('set', 'done');
    expect([await clock.run(leave()), warnings]).toEqual([true, []]);
  });

  test('where a create at another place has failed', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.add(elsewhere.place);
    holdings.wants.end(elsewhere.place, 'failed');
    expect([await clock.run(leave()), warnings]).toEqual([true, []]);
  });
});

describe('a delete that waits for a successor', () => {
  test('ends as soon as that one stands for the object', async () => {
    const { clock, holdings, leave, elapsed } = start();
    holdings.wants.add(place);
    const left = leave();
    await clock.advance(500);
    holdings.hold(ofSet('b'));
    expect(await clock.run(left)).toBe(false);
    expect(elapsed()).toBe(500);
  });

  test('ends as soon as that one has failed', async () => {
    const { clock, holdings, leave, elapsed } = start();
    holdings.wants.add(place);
    const left = expect(leave()).rejects.toThrow('ipr_1 was kept');
    await clock.advance(500);
    holdings.wants.end(place, 'failed');
    await clock.run(left);
    expect(elapsed()).toBe(500);
  });

  test('waits as long as anything goes on, be it minutes without a word', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.add(place);
    const other = holdings.activity
      .during(() => clock.sleep(120_000))
      .then(() => {
        holdings.wants.end(place, 'done');
      });
    expect(await clock.run(leave())).toBe(true);
    await other;
    expect(warnings).toEqual([]);
  });

  test('is not ended by what happens to other objects', async () => {
    const { clock, holdings, warnings, leave } = start();
    holdings.wants.add(place);
    const left = leave();
    await clock.advance(1_000);
    holdings.hold(elsewhere);
    await clock.advance(1_000);
    holdings.hold(ofSet('b'));
    expect([await clock.run(left), warnings]).toEqual([false, []]);
  });

  test('keeps the object where an operation has said that it fails, though it is not at its end', async () => {
    const { clock, holdings, leave } = start();
    holdings.wants.add(place);
    const left = expect(leave()).rejects.toThrow('ipr_1 was kept');
    await clock.advance(500);
    holdings.activity.noteFailure();
    await clock.run(left);
  });

  test('offers nothing of what another resource stands for already', async () => {
    const { clock, holdings, leave, elapsed } = start();
    holdings.hold(ofSet('b'));
    holdings.wants.add(place);
    const left = leave();
    expect(holdings.offerAt(place)).toBeUndefined();
    expect(await clock.run(left)).toBe(false);
    expect(elapsed()).toBe(0);
  });
});

describe('a create that is refused waits for an offer', () => {
  test('not at all where nothing else goes on', async () => {
    const { clock, holdings } = start();
    await clock.run(holdings.activity.during(() => holdings.awaitOffer(place, clock)));
    expect(clock.sleeps).toEqual([]);
  });

  test('until there is one, and half a second at most', async () => {
    const { clock, holdings, run, elapsed } = start();
    void holdings.activity.during(() => clock.sleep(60_000));
    await clock.run(holdings.activity.during(() => holdings.awaitOffer(place, clock)));
    expect(elapsed()).toBe(500);
    holdings.wants.add(place);
    void holdings.leave(own, run);
    await clock.run(holdings.activity.during(() => holdings.awaitOffer(place, clock)));
    expect(elapsed()).toBe(500);
  });
});

describe('who stands for an object', () => {
  test('stays with it when another resource lets go of it', () => {
    const { holdings } = start();
    holdings.hold(ofSet('a'));
    holdings.release(ofSet('b'));
    expect(holdings.otherHolder(ofSet('b'))).toBe('a');
    expect(holdings.otherHolder(ofSet('a'))).toBeUndefined();
  });

  test('is not known from the diffs of a refresh, which come before any check', () => {
    const holdings = new Holdings();
    holdings.declareSet({ holder: 'a', kept: () => [ofSet('a')] });
    expect(holdings.holdOf('ipr_1')).toBeUndefined();
  });

  test('may be asked to create it once more where it failed', () => {
    const { holdings } = start();
    holdings.hold(own, 'failed');
    expect(holdings.isTaken('ipr_1')).toBe(false);
    expect(holdings.declare(own, false)).toBe('ipr_1');
  });

  test('is the same one where diff is asked twice about a resource that stays', () => {
    const { holdings } = start();
    holdings.wants.noteKept(place);
    expect([holdings.declare(own, false), holdings.declare(own, false)]).toEqual([undefined, undefined]);
  });
});
