import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { folderOf } from '../../support/folder';
import { startEngine } from '../../support/engine-stub';
import { listen } from '../../support/listening';
import { type RunMember, service, startMember } from '../../support/run-member';

const [x, y] = ['ipr_x', 'ipr_y'];

/** A run whose processes have a home of their own; an earlier run may have had both home and port. */
async function newRun(earlier?: { readonly home: string; readonly port: number }) {
  const home = earlier?.home ?? folderOf();
  const engine = await startEngine(earlier?.port);
  const start = () => startMember({ engine: engine.address, places: { PULUMI_HOME: home } });
  const join = async (): Promise<RunMember> => {
    const member = await start();
    expect(member.joined).toBe('joined');
    return member;
  };
  const folder = path.join(home, `edge-policy-${process.getuid?.() ?? 'user'}`);
  const next = () => newRun({ home, port: engine.port });
  return { engine, start, join, folder, next, files: () => fs.readdirSync(folder) };
}

const portOf = (name = ''): number => Number(name.split('-')[1]);

test('each process knows the others, and one that has ended counts for those that come later, too', async () => {
  const { join } = await newRun();
  const first = await join();
  const [second, third] = [await join(), await join()];
  await first.own(x);
  await first.kill();
  // Only the third has known it all the time.
  await second.kill();
  expect(await third.beginDelete(x)).toBe(false);
  expect(await (await join()).beginDelete(x)).toBe(false);
});

test('processes that begin at once all know each other', async () => {
  const { join } = await newRun();
  const all = await Promise.all([1, 2, 3, 4].map(() => join()));
  const keys = all.map((_, index) => `ipr_${index}`);
  await Promise.all(all.map((each, index) => each.own(keys[index] ?? '')));
  for (const each of all)
    expect(await Promise.all(keys.map((key) => each.isOwned(key)))).toEqual(keys.map(() => true));
});

describe('the next run on the port of an earlier one', () => {
  test('knows nothing of processes that have ended', async () => {
    const { engine, join, next } = await newRun();
    const earlier = await join();
    await earlier.own(x);
    await earlier.kill();
    await engine.kill();
    expect(await (await (await next()).join()).beginDelete(x)).toBe(true);
  });

  test('knows nothing of one that has outlived its engine, and that one nothing of it', async () => {
    const { engine, join, next } = await newRun();
    const outliving = await join();
    await outliving.own(x);
    await engine.kill();
    const later = await (await next()).join();
    expect(await later.beginDelete(x)).toBe(true);
    await later.own('ipr_y');
    expect(await outliving.isOwned('ipr_y')).toBe(false);
  });

  test('knows nothing of one that was stopped when its engine died, and that answers late', async () => {
    const { engine, join, next } = await newRun();
    const stopped = await join();
    await stopped.own(x);
    process.kill(stopped.pid, 'SIGSTOP');
    await engine.kill();
    const joining = (await next()).join();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    process.kill(stopped.pid, 'SIGCONT');
    expect(await (await joining).beginDelete(x)).toBe(true);
  });
});

test('a process whose engine has died joins no run', async () => {
  const { engine, start } = await newRun();
  await engine.kill();
  expect((await start()).joined).toMatchObject({
    error: expect.stringContaining('the engine of this run has ended') as string,
  });
});

// In another network namespace a port leads to nobody, or to somebody else, while the folder is the same.
test.each<[string, ((socket: net.Socket) => void) | undefined]>([
  ['to nobody', undefined],
  ['to one that hangs up', (socket) => socket.destroy()],
  ['to one that answers something else', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['to one that repeats what it hears', (socket) => socket.pipe(socket)],
])('a file whose port leads %s does not count: containers may share a folder', async (_to, onCall) => {
  const { join, files } = await newRun();
  const elsewhere = await join();
  await elsewhere.own(x);
  await elsewhere.kill();
  if (onCall !== undefined) await listen(net.createServer(onCall), { port: portOf(files()[0]) });
  expect(await (await join()).beginDelete(x)).toBe(true);
});

test('a file whose port leads to another process of ours does not count', async () => {
  const { engine, join, files, folder } = await newRun();
  await join();
  const planted = `${engine.port}-${portOf(files()[0])}-${'0'.repeat(32)}`;
  fs.writeFileSync(path.join(folder, planted), `${JSON.stringify([service, 'keep', x])}\n`);
  expect(await (await join()).beginDelete(x)).toBe(true);
});

test('a caller that knows no file of the run is told nothing', async () => {
  const { join, files } = await newRun();
  await join();
  const heard = await new Promise<string>((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port: portOf(files()[0]) });
    let said = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (said += bytes.toString()));
    socket.once('close', () => {
      resolve(said);
    });
    socket.end('0'.repeat(64));
  });
  expect(heard).toBe('');
});

test('files that nobody has written to for a week are removed, and no others', async () => {
  const { join, folder, files } = await newRun();
  await join();
  const weekAgo = new Date(Date.now() - 7.1 * 24 * 3_600_000);
  for (const name of ['1-1-old', '1-1-young']) fs.writeFileSync(path.join(folder, name), '');
  fs.utimesSync(path.join(folder, '1-1-old'), weekAgo, weekAgo);
  await join();
  expect(files().filter((name) => name.startsWith('1-1-'))).toEqual(['1-1-young']);
});

test('a relative PULUMI_HOME is none: the processes of a run may have other working directories', async () => {
  const [relative, home] = [folderOf(), folderOf()];
  const places = { PULUMI_HOME: path.relative(process.cwd(), relative), HOME: home };
  const engine = await startEngine();
  expect((await startMember({ engine: engine.address, places })).joined).toBe('joined');
  expect([fs.readdirSync(relative), fs.readdirSync(home)]).toEqual([[], ['.pulumi']]);
});

test.each<[string, (place: string) => void]>([
  [
    'a link of another user',
    (place) => {
      fs.symlinkSync(folderOf(), place);
    },
  ],
  [
    'a folder that others may read',
    (place) => {
      fs.mkdirSync(place, { mode: 0o755 });
    },
  ],
])('%s in the place of the folder: nothing is deleted', async (_what, prepare) => {
  const home = folderOf();
  prepare(path.join(home, `edge-policy-${process.getuid?.() ?? 'user'}`));
  const engine = await startEngine();
  const member = await startMember({ engine: engine.address, places: { PULUMI_HOME: home } });
  const error = expect.stringContaining('is not a folder of yours alone') as string;
  expect(await member.beginDelete(y)).toEqual({ error });
});

test('without a folder nothing is deleted or taken over', async () => {
  const engine = await startEngine();
  const home = path.join(folderOf(), 'a file');
  fs.writeFileSync(home, '');
  const member = await startMember({ engine: engine.address, places: { PULUMI_HOME: home } });
  // A resource that stays, and a look at what others own, need no folder.
  expect(await member.own(x)).toEqual({ isAnyDeleted: false });
  expect(await member.isOwned(y)).toBe(false);
  for (const refused of [await member.beginDelete(y), await member.take(y)])
    expect(refused).toEqual({
      error: expect.stringMatching(/^Nothing was deleted or taken over[^]*Set PULUMI_HOME/) as string,
    });
});
