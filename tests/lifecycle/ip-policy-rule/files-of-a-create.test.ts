import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { checkout } from '../../support/workspace';

/** The files of the provider that work executes, without what runs as a file is loaded. */
async function filesExecutedIn(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const source = path.join(checkout, 'provider/src/');
  return result
    .filter(
      ({ url, functions }) =>
        url.includes(source) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => url.slice(url.indexOf(source) + source.length))
    .sort();
}

test('a plain create that succeeds executes no more than 16 files outside run/', async () => {
  const scene = await startScene();
  const rule = scene.newProcess().provider('IpPolicyRule');
  const wanted = { action: 'deny', ipPolicyId: policyId };
  // The first create of a process loads files, which executes more of them.
  await rule.create({ ...wanted, cidr: '10.0.0.0/8' });
  const files = await filesExecutedIn(() => rule.create({ ...wanted, cidr: '192.0.2.0/24' }));
  expect(files).toContain('run/lost-create.ts');
  expect(files.filter((file) => !file.startsWith('run/')).length).toBeLessThanOrEqual(16);
});
