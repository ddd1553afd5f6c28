// Requests of a set whose answers are lost, and which settle within the run or at the next `up`.
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Fault } from '../../../emulator/src/index';
import { policyId } from '../../support/ids';
import { startRawServer } from '../../support/raw-server';
import { expectStateIsLive, failureOf, hosts, list, post, RuleSetDriver } from './driver';

const lostAfterEffect: Fault = { ...post, kind: 'reset', when: 'after' };

test('create: a service that resets each connection after its third answer gets the whole set', async () => {
  const { scene } = await RuleSetDriver.start();
  const answers = new WeakMap<Socket, number>();
  const { url } = await startRawServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url: target = '', socket } = request;
      const headers = request.headers as Record<string, string>;
      const answer = scene.emulator.answer({ method, target, headers, body: body || undefined });
      const count = (answers.get(socket) ?? 0) + 1;
      answers.set(socket, count);
      response.writeHead(answer.status, answer.headers);
      response.end(answer.text, () => count === 3 && socket.resetAndDestroy());
    });
  });
  const sets = scene.newProcess({ baseUrl: url }).provider('IpPolicyRuleSet');
  const rules = `@rules\n${hosts(60)
    .map(({ cidr }) => `${cidr}: allow\n`)
    .join('')}`;
  expect((await sets.create({ ipPolicyId: policyId, rules, exclusive: false })).outs['rules']).toBe(rules);
  expect(scene.emulator.state().rules).toHaveLength(60);
});

test('create, for good: remembered through a refresh, and a destroy deletes the rule', async () => {
  const set = await RuleSetDriver.applied(hosts(2));
  set.scene.emulator.fault(lostAfterEffect);
  set.scene.emulator.fault({ ...list, kind: 'status', status: 403, body: {} });
  await failureOf(set.up(hosts(3)));
  expect(Object.keys(set.rules)).toHaveLength(2);
  await set.refresh();
  expect(set.kept?.outs['unsettledRules']).toBe('10.0.0.2/32 allow');
  await set.destroy();
  expect(set.live).toEqual([]);
});

test.each([0, 10_000])(
  'create, for good: remembered, and the next up, at once, finds the rules in a list that lags %i ms, and creates none twice',
  async (listLagMs) => {
    const set = await RuleSetDriver.start();
    set.scene.emulator.setSwitches({ duplicateCidr: 'accepted', listLagMs });
    set.scene.emulator.fault({ ...lostAfterEffect, times: 4 });
    const list403 = set.scene.emulator.fault({ ...list, kind: 'status', status: 403, times: 'always' });
    expect(await failureOf(set.up(hosts(10)))).toContain('Outcome unknown');
    expect(Object.keys(set.rules)).toHaveLength(6);
    expect(set.live).toHaveLength(10);
    list403.remove();
    set.requests();
    await set.up(hosts(10));
    expect(set.requests()).toEqual(['LIST', 'LIST', 'GET', 'GET', 'GET', 'GET']);
    expectStateIsLive(set);
    expect(set.warnings.filter((line) => line.includes('was taken over'))).toHaveLength(4);
    expect(await set.up(hosts(10))).toBe(false);
  },
);
