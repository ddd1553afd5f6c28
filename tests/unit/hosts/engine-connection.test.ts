import { EventEmitter, once } from 'node:events';
import { EngineConnection } from '../../../provider/src/hosts/engine-watch';
import { startEngine } from '../../support/engine-stub';

const connected = (address: string) => {
  const end = new EventEmitter();
  const ended = once(end, 'end');
  return { connection: new EngineConnection(address, () => end.emit('end')), ended };
};

test('a connection tells as soon as its engine has been killed, and never takes the next one on the port for its own', async () => {
  const engine = await startEngine();
  const { connection, ended } = connected(engine.address);
  expect(await connection.isAlive()).toBe(true);
  expect(await connection.isAlive()).toBe(true);
  await engine.kill();
  const next = await startEngine(engine.port);
  await ended;
  expect(await connection.isAlive()).toBe(false);
  expect(await connected(next.address).connection.isAlive()).toBe(true);
});

test('a question that is under way when the engine dies is answered, too', async () => {
  const engine = await startEngine();
  const { connection } = connected(engine.address);
  await connection.isAlive();
  const asked = connection.isAlive();
  await engine.kill();
  await expect(Promise.race([asked, connection.isAlive()])).resolves.toEqual(expect.any(Boolean));
  expect(await connection.isAlive()).toBe(false);
});
