// Many rules move in one `up`, without `overwriteExisting`, on a service that refuses two rules for one network.
import type { Declaration, Outcome } from '../support/stand-in-engine';
import { declaredRule, declaredSet } from '../support/declarations';
import { liveThings } from '../support/things';
import { goodWeather } from './network/faults';
import { life } from './notation';
import { World } from './world';

const networks = (count: number, from = 0): string[] =>
  Array.from(
    { length: count },
    (_, index) => `10.${Math.floor((from + index) / 256)}.${(from + index) % 256}.0/24`,
  );

const setOf = (name: string, cidrs: readonly string[], action = 'deny'): Declaration =>
  declaredSet(
    name,
    cidrs.map((cidr) => ({ cidr, action })),
  );
const singles = (cidrs: readonly string[], action = 'deny'): Declaration[] =>
  cidrs.map((cidr, index) => declaredRule(`rule${index}`, { cidr, action }));

interface Circumstances {
  readonly parallel: number;
  readonly latencyMs: number;
}

/** A stack, and how long its latest `up` took. */
class Stack {
  readonly world = new World(life({ seed: 1, switches: { duplicateCidr: '400' } }));

  constructor(private readonly circumstances: Circumstances) {}

  /** @param pauses How long the program takes before each of its first registrations, in milliseconds. */
  async up(
    program: readonly Declaration[],
    ...pauses: number[]
  ): Promise<Outcome & { readonly tookMs: number }> {
    const { time, network, engine } = this.world;
    const { parallel, latencyMs } = this.circumstances;
    network.weather = { ...goodWeather(1), latencyMs };
    const startedAtMs = time.monotonicMs();
    const pause = (): Promise<void> => time.sleep(pauses.shift() ?? 5);
    const { ended } = engine.start({ command: 'up', program }, { parallel, pause });
    const outcome = await time.run(ended);
    return { ...outcome, tookMs: time.monotonicMs() - startedAtMs };
  }

  get live(): string[] {
    return liveThings(this.world.account.state).map(({ effect }) => effect);
  }

  async expectDone(program: readonly Declaration[], count: number): Promise<void> {
    expect(this.live).toHaveLength(count);
    expect(new Set(this.live).size).toBe(count);
    const { steps, errors } = await this.world.time.run(this.world.engine.preview(program));
    expect([steps, errors]).toEqual([[], []]);
  }
}

const all: readonly Circumstances[] = [10, 64].flatMap((parallel) =>
  [100, 300].map((latencyMs) => ({ parallel, latencyMs })),
);

describe.each(all)('--parallel $parallel, $latencyMs ms a request', (circumstances) => {
  test.each([
    ['deny', 32],
    ['deny', 120],
    ['allow', 12],
  ])(
    'a set of %s rules (%i) becomes single rules, which are registered half a second later',
    async (action, count) => {
      const stack = new Stack(circumstances);
      const cidrs = networks(count);
      await stack.up([setOf('set', cidrs, action)]);
      const program = [setOf('set', cidrs.slice(0, 2), action), ...singles(cidrs.slice(2), action)];
      expect((await stack.up(program, 0, 500)).errors).toEqual([]);
      await stack.expectDone(program, count);
    },
  );

  test('single rules that come first wait for the set, if a worker is free for its update; if not, all rules stay', async () => {
    const stack = new Stack(circumstances);
    const cidrs = networks(32);
    await stack.up([setOf('set', cidrs)]);
    const program = [...singles(cidrs.slice(2)), setOf('set', cidrs.slice(0, 2))];
    const { errors } = await stack.up(program, ...Array<number>(30).fill(5), 500);
    expect(errors.length > 0).toBe(circumstances.parallel < program.length);
    expect(new Set(stack.live).size).toBe(32);
  });

  test('the rules of a set become those of another one, which gives rules to a third', async () => {
    const stack = new Stack(circumstances);
    const [one, two] = [networks(300), networks(300, 300)];
    await stack.up([setOf('one', one), setOf('two', two)]);
    const program = [setOf('one', one.slice(0, 1)), setOf('two', one.slice(1)), setOf('three', two)];
    expect((await stack.up(program)).errors).toEqual([]);
    await stack.expectDone(program, 600);
  });

  test('sets that exchange their rules do not wait for each other for ever', async () => {
    const stack = new Stack(circumstances);
    const [one, two] = [networks(20), networks(20, 300)];
    await stack.up([setOf('one', one), setOf('two', two)]);
    const { errors, tookMs } = await stack.up([setOf('one', two), setOf('two', one)]);
    expect(errors.join()).toContain('docs/troubleshooting.md#objects-of-another-resource');
    expect(tookMs).toBeLessThan(60_000);
    expect(stack.live).toHaveLength(40);
  });
});

test('with --parallel 1 nothing waits for what cannot begin: the create fails, and all rules stay', async () => {
  const stack = new Stack({ parallel: 1, latencyMs: 100 });
  const cidrs = networks(12);
  await stack.up([setOf('set', cidrs)]);
  const before = stack.live;
  const late = await stack.up([...singles(cidrs.slice(2)), setOf('set', cidrs.slice(0, 2))]);
  expect(late.errors.join()).toContain('already has a rule for this CIDR');
  expect(late.tookMs).toBeLessThan(10_000);
  expect(stack.live).toEqual(before);
  const program = [setOf('set', cidrs.slice(0, 2)), ...singles(cidrs.slice(2))];
  expect((await stack.up(program)).errors).toEqual([]);
  await stack.expectDone(program, 12);
});
