import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { edgePolicy } from '../support/edge-policy-cli';
import { networksOf } from '../support/feeds/networks';
import { PublisherServer } from '../support/feeds/publisher-server';
import { policyId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

const networks = networksOf({ networks: 12, aggregated: 12 });

test('from feeds add to an update with a network less: previews fetch nothing, and the review says who is shut out', async () => {
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

  const added = await edgePolicy(stack, ['feeds', 'add', 'cdn', '--url', url, '--format', 'text']);
  expect(added.output).toContain('cdn: new, 12 networks');
  await stack.up();
  const live = () => Object.values(emulator.state().rules).map(({ cidr }) => cidr);
  expect(live().sort()).toEqual([...networks].sort());
  await stack.expectEmptyPreview();
  expect(publisher.requests).toBe(1);

  publisher.publish('/list', networks.slice(1).join('\n'));
  const updated = await edgePolicy(stack, ['feeds', 'update']);
  expect(updated.output).toContain(
    `cdn: 0 networks more, 1 fewer (1,024 IPv4 addresses fewer)\n  - ${networks[0] ?? ''}\n`,
  );
  const { json } = await stack.call(['preview', '--json', '--show-sames']);
  writeFileSync(path.join(stack.folder.project, 'preview.json'), JSON.stringify(json));
  const reviewed = await edgePolicy(stack, [
    'review',
    'preview.json',
    '--fail-on',
    'never',
    '--format',
    'text',
  ]);
  expect(reviewed.output).toContain(networks[0]);
  await stack.up();
  expect(live().sort()).toEqual(networks.slice(1).sort());
  expect(publisher.requests).toBe(2);
});
