import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { commandsOf, installedModules, runLine } from '../support/documentation';
import { folderOf } from '../support/folder';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import { literal, program } from '../support/programs';
import { serviceWith, startService, stackOnService } from '../support/service-stack';
import { textOf } from '../support/workspace';

const page = path.join('docs', 'locked-out.md');

/** The lines that need Pulumi, or a command of the package. */
const withPulumi = commandsOf('locked-out.md').filter((line) => /^(pulumi|npx) /.test(line));

/** The shell blocks of a page that need no Pulumi, in order: what it does by hand. */
const byHandOn = (name: string): string[] =>
  codeBlocks(path.join('docs', name))
    .filter(({ language, text }) => language === 'sh' && !/^ *(pulumi|npx) /m.test(text))
    .map(({ text }) => text);
const byHand = byHandOn('locked-out.md');
const [setUp = ''] = byHand;

/** Runs requests of a page with curl, as an operator does. */
async function runByHand(
  blocks: readonly string[],
  { emulator, apiKey }: Awaited<ReturnType<typeof startService>>,
): Promise<void> {
  const script = blocks
    .join('\n')
    .replace('https://api.example.com', emulator.url)
    .replace(/\bipr_\w+/, emulator.state().rules[0]?.id ?? '');
  const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { cwd: folderOf({}) });
  run.child.stdin?.end(`${apiKey}\n`);
  await run;
}

const filter = { enabled: true, allow: ['Firefox'], deny: [] };
const edge = `new TcpEdgeTrafficPolicyModule('edge', { edgeId: '${tcpEdgeId}', value: { inbound: [] } });`;
const ruleOf = (inputs: object): string => `new IpPolicyRule('rule', ${literal(inputs)});`;

test('docs/locked-out.md: its requests let an operator in, and its steps bring the program back, as they are written', async () => {
  const service = await startService();
  const { stack, emulator } = await stackOnService(
    {
      program: program(
        `${edge} ${ruleOf({ ipPolicyId: policyId, action: 'deny', cidr: '203.0.113.0/24' })} return {};`,
      ),
      nodeModules: installedModules(),
    },
    service,
  );
  await stack.up();
  await stack.call(['stack', 'select']);
  for (const line of withPulumi.slice(0, 2)) await runLine(stack, line);
  emulator.seed({ httpsModules: { [`${httpsEdgeId}/${routeId}`]: filter } });
  const before = emulator.journal.length;

  const documented = /`(\$API\/edges\/https\/[^`]+)`/.exec(textOf(page))?.[1] ?? '';
  await runByHand([...byHand, `call "${documented}"`], service);

  expect(emulator.journal.slice(before).map(({ method, status }) => `${method} ${String(status)}`)).toEqual([
    ...['GET 200', 'DELETE 204', 'POST 201', 'GET 200', 'PUT 200', 'PUT 200', 'GET 200'],
  ]);
  const puts = emulator.journal.slice(before).filter(({ method }) => method === 'PUT');
  expect(puts.map(({ body }) => body)).toMatchObject([{ enabled: false }, { enabled: true }]);
  const [rule] = emulator.state().rules;
  expect(rule).toMatchObject({ action: 'allow', cidr: '203.0.113.7/32', description: 'Emergency' });

  const wanted = { ipPolicyId: policyId, action: 'allow', cidr: '203.0.113.7/32', description: 'Emergency' };
  for (const line of withPulumi.slice(2)) {
    if (line === 'pulumi refresh')
      stack.writeProgram(program(`${edge} ${ruleOf({ ...wanted, overwriteExisting: true })} return {};`));
    await runLine(
      stack,
      line.replace(/^(pulumi (up|refresh))$/, '$1 --yes'),
      line.endsWith(' drift') ? 1 : 0,
    );
  }
  expect(emulator.state().rules).toEqual([rule]);
  await stack.expectEmptyPreview();
});

test('docs/too-open.md: its requests close what is open, as they are written', async () => {
  const service = await serviceWith({ cidr: '0.0.0.0/0' });
  const { emulator } = service;
  emulator.seed({ tcpModules: { [tcpEdgeId]: { enabled: false, value: '{"inbound":[]}' } } });
  const before = emulator.journal.length;
  await runByHand([setUp, ...byHandOn('too-open.md')], service);
  const made = emulator.journal.slice(before).map(({ method, status }) => `${method} ${String(status)}`);
  expect(made).toEqual(['DELETE 204', 'POST 201', 'GET 200', 'PUT 200']);
  expect(emulator.state()).toMatchObject({
    rules: [{ action: 'deny', cidr: '198.51.100.7/32' }],
    tcpModules: { [tcpEdgeId]: { enabled: true } },
  });
});
