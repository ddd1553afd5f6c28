import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Emulator, RuleSeed, Seed } from '../../emulator/src/index';
import { edgePolicy } from '../support/edge-policy-cli';
import {
  otherTcpEdgeId,
  policyId,
  tcpEdgeId,
  httpsEdgeId,
  otherPolicyId,
  otherRouteId,
  routeId,
} from '../support/ids';
import type { PulumiStack } from '../support/pulumi-stack';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { traps } from '../unit/adopt/support/texts';

const thirdPolicyId = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGc';

/** Texts that are difficult for a code generator, a shell, a terminal or a state file, and the longest. */
const textsOfEveryKind = [
  ...[
    'Office Berlin',
    'Office Berlin',
    'Büro Köln, 2. Stock',
    'constructor',
    'x'.repeat(255),
    'é'.repeat(127),
  ],
  ...traps.filter((text) => text !== '\u0000').map((text) => `${text}a${text}`),
];

const metadataOfEveryKind = [
  '{"team":"edge","tags":["a","b"],"nested":{"n":1.5}}',
  '{"quote":"\\"","dollar":"${x}"}',
  'm'.repeat(4096),
  '<xml attribute="1"/>',
  '0',
] as const;

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const cidrNumbered = (index: number): string =>
  index % 5 === 0
    ? `2001:db8:${(index + 1).toString(16)}::/${48 + (index % 3) * 8}`
    : `10.${index >> 4}.${(index % 16) * 16}.0/${20 + (index % 5)}`;

/** A rule whose properties follow from its number. */
const ruleNumbered = (index: number, ipPolicyId: string): RuleSeed => ({
  cidr: cidrNumbered(index),
  ip_policy_id: ipPolicyId,
  action: index % 3 === 0 ? 'deny' : 'allow',
  ...(index % 4 !== 3 && { description: pick(textsOfEveryKind, index) }),
  ...(index % 6 === 0 && { metadata: pick(metadataOfEveryKind, index / 6) }),
});

const numbered = (count: number, ipPolicyId: string): RuleSeed[] =>
  Array.from({ length: count }, (_, index) => ruleNumbered(index, ipPolicyId));

/** Two edges and two routes with a module each. */
const modulesToAdopt = {
  tcpModules: {
    [tcpEdgeId]: {
      enabled: true,
      value: JSON.stringify({
        inbound: [
          {
            name: 'deny "scanner"',
            expressions: ["conn.client_ip == '192.0.2.66'"],
            actions: [{ type: 'deny' }],
          },
          {
            name: 'rest',
            expressions: [],
            actions: [{ type: 'log', config: { metadata: { a: [1, 2.5, null] } } }],
          },
        ],
        outbound: [],
      }),
    },
    // Spaced by another writer, and with digits that JavaScript would round: stays a text.
    [otherTcpEdgeId]: {
      enabled: false,
      value: '{\n  "inbound" : [ ],\n  "limit": 1e3\n}',
    },
  },
  httpsModules: {
    [`${httpsEdgeId}/${routeId}`]: {
      enabled: true,
      allow: [],
      deny: ['(?i)sqlmap', '^"Mozilla\\/5\\.0"$', '`${x}`', '日本'],
    },
    [`${httpsEdgeId}/${otherRouteId}`]: { enabled: false, allow: ['.*'], deny: [] },
  },
};

/** An account with 250 rules of every kind in three policies, and the four modules. */
const accountToAdopt: Seed = {
  rules: [...numbered(20, policyId), ...numbered(7, otherPolicyId), ...numbered(223, thirdPolicyId)],
  ...modulesToAdopt,
};

const importAll = (stack: PulumiStack, ...args: string[]) =>
  edgePolicy(stack, ['import', '--stack', 'dev', '--all', '--run', '--json', ...args]);

/** The real compiler looks at the program, as it does for a user. */
const withTypes = { env: { PULUMI_NODEJS_TRANSPILE_ONLY: 'false' } };

const writingMethods = (emulator: Emulator): string[] =>
  emulator.journal.map(({ method }) => method).filter((method) => method !== 'GET');

test('an account of 250 rules of every kind and four modules is adopted by one command: preview and refresh show no change, destroy works', async () => {
  const { stack, emulator } = await stackOnService({ program: { ts: 'export {};' } });
  emulator.seed(accountToAdopt);
  const before = emulator.state();
  const modules = [
    ...Object.keys(modulesToAdopt.tcpModules).flatMap((id) => ['--tcp-edge', id]),
    ...Object.keys(modulesToAdopt.httpsModules).flatMap((id) => ['--route', id]),
  ];
  const imported = await importAll(stack, ...modules);
  expect(imported.describe()).toMatch(/exit code 0/);
  expect(writingMethods(emulator)).toEqual([]);

  stack.writeProgram({ ts: `import './adopted/adopted';` });
  await stack.expectEmptyPreview(withTypes);
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
  expect(readFileSync(path.join(stack.folder.project, 'adopted', 'adopted-2.ts'), 'utf8')).toContain(
    '198.18.0.0/15',
  );
  stack.writeProgram({ ts: `import './adopted/adopted';\nimport './adopted/adopted-2';` });
  await stack.expectEmptyPreview();
  expect((await stack.refresh()).changes).toEqual({});

  await stack.destroy();
  expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
});

test('a stack leaves out what a sibling manages, even if only another passphrase opens the secrets of that', async () => {
  const { stack, emulator } = await stackOnService({
    program: {
      ts: `import * as pulumi from '@pulumi/pulumi';
import { IpPolicyRule } from 'pulumi-edge-policy';
new IpPolicyRule('office', { ipPolicyId: '${policyId}', cidr: '10.0.0.0/8', action: 'allow', description: pulumi.secret('x') });`,
    },
  });
  await stack.up();
  const { id } = emulator.remote.createRule({ cidr: '10.1.0.0/16', action: 'allow', ip_policy_id: policyId });
  const env = { PULUMI_CONFIG_PASSPHRASE: 'of prod alone' };
  await stack.run('pulumi', ['stack', 'init', 'prod', '--non-interactive'], env);
  const args = ['import', '--stack', 'prod', '--all', '--run', '--json'];
  const imported = await edgePolicy(stack, args, { env });
  expect(imported.describe()).toMatch(/exit code 0/);
  expect(imported.json).toMatchObject({
    resources: [{ liveIds: [id] }],
    managedElsewhere: [{ stack: expect.stringMatching(/dev$/) as string }],
  });
});
