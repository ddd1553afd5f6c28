import { failureOf } from './support/http';
import { testRule, useService } from './support/service';

const service = useService();
const { ruleCount } = service;
const post = { method: 'POST', path: '/ip_policy_rules' };

test.each([
  ['before', 0],
  ['after', 1],
] as const)(
  'a request held %s its effect waits there until it is released or dropped',
  async (when, rules) => {
    const barrier = service.emulator.hold({ ...post, when });
    const answer = service.post();
    await barrier.reached;
    expect([ruleCount(), barrier.waiting]).toEqual([rules, 1]);
    expect(service.emulator.journal[0]).not.toHaveProperty('status');
    barrier.release();
    expect((await answer).status).toBe(201);

    service.emulator.reset();
    const next = service.emulator.hold({ ...post, when });
    const failure = failureOf(service.post());
    await next.reached;
    next.drop();
    expect(await failure).toBe('ECONNRESET');
    expect(ruleCount()).toBe(rules);
  },
);

test('a request whose client has gone has its effect all the same once it is released', async () => {
  const barrier = service.emulator.hold({ ...post, when: 'before' });
  const controller = new AbortController();
  const answer = service.call('POST', post.path, testRule, { signal: controller.signal });
  await barrier.reached;
  controller.abort();
  await expect(answer).rejects.toThrow(/abort/i);
  while (service.emulator.journal[0]?.endedAt === undefined) await new Promise(setImmediate);
  barrier.release();
  while (ruleCount() === 0) await new Promise(setImmediate);
  expect(ruleCount()).toBe(1);
});
