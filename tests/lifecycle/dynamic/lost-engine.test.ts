import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { startEngine } from '../../support/engine-stub';
import { eventually } from '../../support/eventually';
import { folderOf } from '../../support/folder';
import { startScene } from '../../support/host';
import { policyId } from '../../support/ids';
import { checkout } from '../../support/workspace';

/** The host serves a create of ours and, meanwhile, one of another package. It does not wait for an hour. */
const script = `
  const { setTimeout: begin } = globalThis;
  let end;
  globalThis.setTimeout = (work, ms, ...rest) =>
    ms === 3_600_000 ? ((end = work), begin(() => undefined)) : begin(work, ms, ...rest);
  setInterval(() => undefined, 60_000);
  const { handler } = require('./provider/src/hosts/dynamic/handler.ts');
  handler('IpPolicyRule').create({ cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: '${policyId}' }).catch(({ message }) => {
    console.log(message);
    begin(() => (console.log('the other package is done'), end()), 50);
  });`;

test('when its engine is gone, the host ends our operations at once, and itself when those of others cannot be under way any more', async () => {
  const [{ emulator, apiKey }, engine] = [await startScene(), await startEngine()];
  const headers = { 'retry-after': '120' };
  emulator.fault({ kind: 'status', method: 'POST', status: 429, headers, times: 'always' });
  const settings = { EDGE_POLICY_API_KEY: apiKey, EDGE_POLICY_BASE_URL: emulator.url };
  const hook = ['--require', './tests/support/typescript-require.cjs'];
  const host = spawn(process.execPath, [...hook, '-e', script, '/cmd/dynamic-provider/', engine.address], {
    cwd: checkout,
    env: { PATH: process.env['PATH'], PULUMI_HOME: folderOf(), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, ended] = [text(host.stdout), once(host, 'exit')];
  const sent = (): number => emulator.journal.filter(({ method }) => method === 'POST').length;
  await eventually('the create was refused', () => (sent() > 0 ? true : undefined));
  await engine.kill();
  expect(await said).toMatch(/not done because the run was cancelled.*\nthe other package is done\n$/s);
  expect([await ended, sent()]).toEqual([[1, null], 1]);
});
