import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { emptyProjectOnService, runLine } from '../support/documentation';
import { writeFeedFiles } from '../support/feeds/feed-files';
import { policyId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import type { PulumiStack } from '../support/pulumi-stack';
import { SecretsScan } from '../support/secrets-scan';
import { startService, stackOnService } from '../support/service-stack';
import type { Program } from '../support/stack-options';
import { ownResources } from '../support/stack-state';

const blocks = codeBlocks(path.join('docs', 'recipes.md'));
const textsIn = (wanted: string): string[] =>
  blocks.filter(({ language }) => language === wanted).map(({ text }) => text);

/** The programs of the page by the name in their first line. */
const programs = new Map(
  textsIn('ts').map((text) => [/^\/\/ (\w+: [\w.]+)\n/.exec(text)?.[1] ?? text, text]),
);

const recipe = (name: string): Program => {
  const text = programs.get(name);
  if (text === undefined) throw new Error(`the page has no program "${name}"`);
  return { ts: text.replaceAll('ipp_…', policyId) };
};

const write = (stack: PulumiStack, file: string, text: string): void => {
  const target = path.join(stack.folder.project, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
};

test('every program of the page is run here', () => {
  expect([...programs.keys()]).toEqual([
    'csv: index.ts',
    'partners: index.ts',
    'cdn: index.ts',
    'blocklist: index.ts',
    'accounts: index.ts',
    'incident: index.ts',
    'moving: before',
    'moving: after',
    'teams: index.ts',
  ]);
});

test('the office list, partners and an emergency deny make the rules they declare, and a wrong row is named', async () => {
  const { stack, emulator } = await stackOnService({ program: recipe('csv: index.ts') });
  const [csv = ''] = textsIn('csv');
  // As a spreadsheet writes it.
  write(stack, 'offices.csv', csv.replaceAll('\n', '\r\n'));
  await stack.up();
  const rules = () =>
    Object.values(emulator.state().rules).map(({ cidr, description }) => `${cidr} ${description}`);
  expect(rules().sort()).toEqual([
    '198.51.100.0/25 Office Lisbon',
    '2001:db8:40::/48 Office Lisbon',
    '203.0.113.0/24 Office Amsterdam',
  ]);
  write(stack, 'offices.csv', `${csv}203.0.113.7/24,Porto\n`);
  const refused = await stack.preview({ expect: 'failure' });
  expect(refused.errors.join('\n')).toMatch(/rules\[3\].*203\.0\.113\.0\/24/s);

  stack.writeProgram(recipe('partners: index.ts'));
  write(stack, 'partners/acme.txt', '192.0.2.0/25\n');
  write(stack, 'partners/globex.txt', '192.0.2.128/25\n2001:db8:77::/48\n');
  expect((await stack.up()).changes).toEqual({ create: 2, delete: 1 });
  expect(rules()).toHaveLength(3);

  stack.writeProgram(recipe('incident: index.ts'));
  const [, targeted = ''] = /^(pulumi up --target .*)$/m.exec(textsIn('sh').join('')) ?? [];
  expect((await stack.up({ args: ['--target', /'(.*)'/.exec(targeted)?.[1] ?? ''] })).changes).toEqual({
    create: 1,
  });
  expect(rules()).toContain('192.0.2.66/32 INC-2041 credential stuffing');
  expect(rules()).toHaveLength(4);
});

test('a deny by hand is live at once, and the import adopts it', async () => {
  const { stack, emulator } = await emptyProjectOnService();
  emulator.issueKey('by-hand');
  const typed = (start: string): string =>
    (textsIn('sh').find((text) => text.trim().startsWith(start)) ?? '')
      .replace('ipp_…', policyId)
      .replace('--stack prod', '--stack dev');
  await runLine(stack, `BASE_URL=${emulator.url} KEY=by-hand\n${typed('curl')}`);
  expect(emulator.state().rules).toMatchObject([{ action: 'deny', cidr: '198.51.100.0/24' }]);
  await runLine(stack, typed('npx --no-install pulumi-edge-policy-cli import'));
  expect(ownResources(await stack.state())).toHaveLength(1);
});

test('the networks of a CDN and of a block list come from the lock', async () => {
  const { stack, emulator } = await stackOnService({ program: recipe('cdn: index.ts') });
  writeFeedFiles(stack.folder.project, {
    cloudflare: { source: { publisher: 'cloudflare' }, networks: ['20.0.0.0/24', '2a00:1450::/32'] },
    'spamhaus-drop': { source: { publisher: 'spamhaus-drop' }, networks: ['30.0.0.0/24'] },
  });
  await stack.up();
  const rules = () => Object.values(emulator.state().rules).map(({ action, cidr }) => `${action} ${cidr}`);
  expect(rules().sort()).toEqual(
    ['allow 203.0.113.0/24', 'allow 20.0.0.0/24', 'allow 2a00:1450::/32'].sort(),
  );
  stack.writeProgram(recipe('blocklist: index.ts'));
  await stack.up();
  expect(rules()).toEqual(['deny 30.0.0.0/24']);
});

test('two accounts in one program get a rule each', async () => {
  const keys = { dev: SecretsScan.makeUp('dev'), prod: SecretsScan.makeUp('prod') };
  const service = await startService({ accounts: { [keys.dev]: 'dev', [keys.prod]: 'prod' } });
  const { stack } = await stackOnService(
    {
      program: recipe('accounts: index.ts'),
      config: {
        'harness:baseUrl': service.emulator.url,
        'harness:devKey': { secret: keys.dev },
        'harness:prodKey': { secret: keys.prod },
      },
    },
    service,
  );
  await stack.up();
  for (const account of ['dev', 'prod']) {
    expect(Object.values(service.emulator.state(account).rules)).toMatchObject([{ cidr: '203.0.113.40/32' }]);
  }
});

test('single rules become a set under the same ids, and teams share a policy', async () => {
  const service = await startService();
  const { stack, emulator } = await stackOnService({ program: recipe('moving: before') }, service);
  await stack.up();
  const ids = () => Object.keys(emulator.state().rules).sort();
  const before = ids();
  stack.writeProgram(recipe('moving: after'));
  expect((await stack.up()).changes).toEqual({ create: 1, delete: 2 });
  expect(ids()).toEqual(before);
  await stack.expectEmptyPreview();

  for (const [team, networks] of Object.entries({ payments: ['192.0.2.0/26'], search: ['192.0.2.64/26'] })) {
    const { stack: teamStack } = await stackOnService(
      {
        program: recipe('teams: index.ts'),
        stack: team,
        config: { 'harness:networks': JSON.stringify(networks) },
      },
      service,
    );
    await teamStack.up();
  }
  expect(ids()).toHaveLength(4);
  expect(ids()).toEqual(expect.arrayContaining(before));
  await stack.expectEmptyPreview();
});
