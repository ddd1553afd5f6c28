import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { policyId } from '../../support/ids';
import { startRawServer } from '../../support/raw-server';
import { hosts, RuleSetDriver } from './driver';

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
