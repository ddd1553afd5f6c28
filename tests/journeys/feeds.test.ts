import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestOf } from '../../provider/src/feeds/lock';
import { edgePolicy } from '../support/edge-policy-cli';
import { networksOf } from '../support/feeds/networks';
import { PublisherServer } from '../support/feeds/publisher-server';
import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { liveCidrs, stackOnService } from '../support/service-stack';

const FILES = ['edge-policy.feeds.json', 'edge-policy.feeds.lock.json'];
const networks = networksOf({ networks: 12, aggregated: 12 });

test('from a declaration to an update with a network less: previews fetch nothing, and the review says who is shut out', async () => {
  const publisher = await PublisherServer.start();
  const url = publisher.publish('/list', networks.join('\n'));
  const { stack, emulator } = await stackOnService({
    program: program(`
      new IpPolicyRuleSet('cdn', { ipPolicyId: '${policyId}', rules: edge.feedRules('cdn', { action: 'allow' }) });
      return {};
    `),
  });
  const missing = await stack.preview({ expect: 'failure' });
  expect(missing.output).toContain('There is no edge-policy.feeds.json');
  expect(missing.output).not.toMatch(/UserError|unhandled|^ +at /m);

  const declared = { feeds: { cdn: { url, format: 'text' } } };
  writeFileSync(path.join(stack.folder.project, 'edge-policy.feeds.json'), JSON.stringify(declared));
  const first = await edgePolicy(stack, ['feeds', 'update']);
  expect(first.output).toContain('cdn: new, 12 networks');
  await stack.up();
  expect(liveCidrs(emulator)).toEqual([...networks].sort());
  await stack.expectEmptyPreview();
  expect(publisher.requests).toBe(1);

  // What the base of the change has.
  const base = path.join(stack.folder.project, 'base');
  mkdirSync(base);
  for (const name of FILES) copyFileSync(path.join(stack.folder.project, name), path.join(base, name));

  publisher.publish('/list', networks.slice(1).join('\n'));
  const updated = await edgePolicy(stack, ['feeds', 'update']);
  expect(updated.output).toContain(`cdn: 0 networks more, 1 fewer\n  - ${networks[0] ?? ''}\n`);
  const review = async (...args: string[]): Promise<string> => {
    const { json } = await stack.call(['preview', '--json', '--show-sames']);
    writeFileSync(path.join(stack.folder.project, 'preview.json'), JSON.stringify(json));
    const asked = ['review', 'preview.json', '--fail-on', 'never', '--format', 'text', ...args];
    return (await edgePolicy(stack, asked)).output;
  };
  expect(await review()).toContain(networks[0]);
  expect(publisher.requests).toBe(2);
  const confirmed = await review('--base-feeds', 'base', '--confirm-feeds');
  expect(confirmed).toContain('- "cdn": 0 networks more, 1 fewer, confirmed with the publisher.\n');

  // The author of the change adds a network of their own, with its digest.
  const lock = path.join(stack.folder.project, 'edge-policy.feeds.lock.json');
  const honest = readFileSync(lock, 'utf8');
  const { feeds } = JSON.parse(honest) as { feeds: { cdn: { networks: string[]; digest: string } } };
  feeds.cdn.networks.unshift('1.1.1.0/24');
  feeds.cdn.digest = digestOf(feeds.cdn.networks);
  writeFileSync(lock, JSON.stringify({ version: 1, feeds }));
  const forged = await review('--base-feeds', 'base', '--confirm-feeds');
  expect(forged).toContain('its publisher does not list "1.1.1.0/24" (256 addresses).');
  expect(forged).toContain('In IPv4, "1.1.1.0/24" (256 addresses) can get in and could not before.');
  writeFileSync(lock, honest);

  await stack.up();
  expect(liveCidrs(emulator)).toEqual(networks.slice(1).sort());
  expect(publisher.requests).toBe(4);
});
