import type { Host } from '../../provider/src/resources/provider-reference';
import { expectGeneratedPart } from '../support/generated-part';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { linesOf } from '../support/preview-lines';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { testedHost } from '../support/tested-host';

/**
 * A typical edit: how many lines a preview prints below the URN of the resource, and the resource before and after, as statements
 * of a program; none if there is no resource.
 */
type Edit = readonly [what: string, lines: Readonly<Record<Host, number>>, before: string, after: string];

const rules = (count: number) =>
  `Array.from({ length: ${count} }, (_, i) => ({ cidr: [10 + (i >> 16), (i >> 8) & 255, i & 255, 0].join('.') + '/24', action: 'allow', description: 'site: ' + i }))`;
const set = (list: string, args: object = {}) =>
  `new IpPolicyRuleSet(name, { ipPolicyId: '${policyId.slice(0, -2)}' + name.slice(-2), ...${literal(args)}, rules: ${list} });`;
const many = (edit: string, count = 400) => set(`((list) => { ${edit}; return list; })(${rules(count)})`);
const plain = (count = 400) => set(rules(count));

const patterns = `Array.from({ length: 30 }, (_, i) => '(?i)crawler-' + i)`;
const filter = (deny: string, args: object = {}) =>
  `new HttpsEdgeRouteUserAgentFilterModule(name, { edgeId: '${httpsEdgeId}', routeId: '${routeId.slice(0, -2)}' + name.slice(-2), ...${literal(args)}, deny: ${deny} });`;

const traffic = `Array.from({ length: 20 }, (_, i) => ({
  name: 'office ' + i, expressions: ["!(conn.client_ip in ['198.51.100." + i + "'])"], actions: [{ type: 'deny' }] }))`;
const policy = (inbound: string, args: object = {}) =>
  `new TcpEdgeTrafficPolicyModule(name, { edgeId: '${tcpEdgeId.slice(0, -2)}' + name.slice(-2), ...${literal(args)}, value: { inbound: ${inbound} } });`;

const lines = (dynamic: number, native: number) => ({ dynamic, native });

const edits: readonly Edit[] = [
  [
    'set of 10,000: one network added',
    lines(10, 8),
    plain(10_000),
    many(`list.push({ cidr: '10.7.7.7', action: 'deny' })`, 10_000),
  ],
  ['set of 400: one network removed', lines(10, 8), plain(), many('list.splice(99, 1)')],
  ['set of 400: one description', lines(11, 9), plain(), many(`list[99].description = 'b: c'`)],
  ['set of 400: one action', lines(11, 9), plain(), many(`list[99].action = 'deny'`)],
  [
    'set of 400: four rules far from each other',
    lines(32, 30),
    plain(),
    many(`for (const i of [50, 150, 250, 350]) list[i].action = 'deny'`),
  ],
  [
    'set of 400: becomes exclusive',
    lines(4, 1),
    plain(),
    set(rules(400), { exclusive: true, overwriteExisting: true }),
  ],
  [
    'set of 200: the first edit, four rules far from each other',
    lines(35, 33),
    plain(200),
    many(`for (const i of [25, 75, 125, 175]) list[i].action = 'deny'`, 200),
  ],
  [
    'set of 200: becomes exclusive, its first edit',
    lines(8, 1),
    plain(200),
    set(rules(200), { exclusive: true, overwriteExisting: true }),
  ],
  ['set of 4: created', lines(8, 8), '', plain(4)],
  ['set of 4: deleted', lines(8, 8), plain(4), ''],
  ['set of 400: created', lines(3, 3), '', plain()],
  ['set of 400: deleted', lines(3, 3), plain(), ''],
  [
    'set of 400: another policy, hence replaced',
    lines(3, 1),
    plain(),
    set(rules(400), { ipPolicyId: otherPolicyId }),
  ],
  ['30 patterns: one more in front', lines(36, 33), filter(patterns), filter(`['nikto', ...${patterns}]`)],
  ['30 patterns: one fewer', lines(35, 32), filter(patterns), filter(`${patterns}.toSpliced(9, 1)`)],
  ['filter switched off', lines(35, 1), filter(patterns), filter(patterns, { enabled: false })],
  ['traffic policy of 20 rules: created', lines(226, 226), '', policy(traffic)],
  [
    'traffic policy of 20 rules: one expression',
    lines(14, 12),
    policy(traffic),
    policy(`${traffic}.with(9, { name: 'office 9', expressions: ['true'], actions: [{ type: 'deny' }] })`),
  ],
  [
    'traffic policy of 20 rules: one more in front',
    lines(20, 18),
    policy(traffic),
    policy(`[{ name: 'first', expressions: ['true'], actions: [{ type: 'deny' }] }, ...${traffic}]`),
  ],
  ['traffic policy switched off', lines(7, 1), policy(traffic), policy(traffic, { enabled: false })],
];

const nameOf = (index: number): string => `edit-${String(index).padStart(2, '0')}`;

const programOf = (side: (edit: Edit) => string) =>
  program(
    `${edits.map((edit, index) => `{ const name = '${nameOf(index)}'; ${side(edit)} }`).join('\n')} return {};`,
  );

test('typical edits take so many lines of a preview, and docs/contributing/previews.md says how many', async () => {
  const { stack } = await stackOnService({ program: programOf(([, , before]) => before) });
  await stack.up();
  stack.writeProgram(programOf(([, , , after]) => after));
  const { stdout } = await stack.preview({ args: ['--diff'] });
  const measured = edits.map(([what], index) => [what, linesOf(stdout, nameOf(index)).length]);
  expect(measured).toEqual(edits.map(([what, lines]) => [what, lines[testedHost]]));
  // All of them in one comment of a pull request, which holds 65,536 characters.
  expect(stdout.length).toBeLessThan(32_768);
  expectGeneratedPart(
    'docs/contributing/previews.md',
    'lines',
    [
      '| Edit | Dynamic | Native |\n| :--- | ---: | ---: |',
      ...edits.map(([what, lines]) => `| ${what} | ${lines.dynamic} | ${lines.native} |`),
    ].join('\n'),
  );
});
