import { testedHost } from '../../support/tested-host';
import { makeBusy, type Obstacle, startWay, type WayName } from './ways';

const places: readonly (readonly [WayName, Obstacle])[] = [
  ['https', { at: 'handshake', how: 'reset' }],
  ['proxy', { at: 'tunnel', answer: '' }],
];

test.each(places)('over %s a busy process sends everything on one connection', async (name, obstacle) => {
  const way = await startWay(name, testedHost);
  const { settings, hits: connections } = await way.block(obstacle, 0);
  const host = way.newProcess(settings);
  await makeBusy(host);
  const list = host.client.listIpPolicyRules(host.client.startOperation());
  expect((await list.next()).done).toBe(false);
  expect(way.scene.emulator.journal.length).toBeGreaterThan(2);
  expect(connections()).toBe(1);
});
