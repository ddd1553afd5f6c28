import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator } from '../../emulator/src/index';
import { accountToAdopt, modulesToAdopt } from '../support/account-to-adopt';
import { edgePolicy } from '../support/edge-policy-cli';
import { otherTcpEdgeId, policyId, tcpEdgeId } from '../support/ids';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const [route, otherRoute] = Object.keys(modulesToAdopt.httpsModules);

const importAll = (stack: PulumiStack, ...args: string[]) =>
  edgePolicy(stack, ['import', '--stack', 'dev', '--all', '--run', '--json', ...args]);

const readAdopted = (stack: PulumiStack, name: string): string =>
  readFileSync(path.join(stack.folder.project, 'adopted', name), 'utf8');

/** The real compiler looks at the program, as it does for a user. */
const withTypes = { env: { PULUMI_NODEJS_TRANSPILE_ONLY: 'false' } };

const writingMethods = (emulator: Emulator): string[] =>
  emulator.journal.map(({ method }) => method).filter((method) => method !== 'GET');

test('an account of 250 rules of every kind and four modules is adopted by one command: preview and refresh show no change, destroy works', async () => {
  const { stack, emulator } = await stackOnService({ program: { ts: 'export {};' } });
  emulator.seed(accountToAdopt);
  const before = emulator.state();
  const modules = [
    '--tcp-edge',
    tcpEdgeId,
    '--tcp-edge',
    otherTcpEdgeId,
    '--route',
    route ?? '',
    '--route',
    otherRoute ?? '',
  ];
  const imported = await importAll(stack, ...modules);
  expect(imported.describe()).toMatch(/exit code 0/);
  expect(writingMethods(emulator)).toEqual([]);

  stack.writeProgram({ ts: `import './adopted/adopted';` });
  await stack.expectEmptyPreview(withTypes);
  expect((await stack.refresh()).changes).toEqual({});
  expect(emulator.state()).toEqual(before);
  expect(ownResources(await stack.state()).filter(({ protect }) => protect)).toEqual([]);

  // What the stack manages is left out; a name that is taken is not given twice.
  const [first] = before.rules;
  emulator.remote.createRule({
    cidr: '198.18.0.0/15',
    action: 'deny',
    ip_policy_id: policyId,
    description: first?.description ?? '',
  });
  const again = await importAll(stack, ...modules);
  expect(again.json).toMatchObject({ isImported: true, resources: [{ type: 'IpPolicyRule' }] });
  expect((again.json as { managed: string[] }).managed).toHaveLength(254);
  expect(readAdopted(stack, 'adopted-2.ts')).toContain('198.18.0.0/15');
  stack.writeProgram({ ts: `import './adopted/adopted';\nimport './adopted/adopted-2';` });
  await stack.expectEmptyPreview();
  expect((await importAll(stack)).json).toMatchObject({ isImported: false, files: null, resources: [] });

  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
});
