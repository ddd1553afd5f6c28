import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Host } from '../../provider/src/resources/provider-reference';
import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { changesOf, linesOf } from '../support/preview-lines';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { testedHost } from '../support/tested-host';
import { checkout } from '../support/workspace';

/** A typical edit, and how many lines a preview prints below the URN of the resource. */
interface Edit {
  readonly what: string;
  readonly lines: Readonly<Record<Host, number>>;
  /** The resource before and after, as statements of a program; none if there is no resource. */
  readonly before: string;
  readonly after: string;
}

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

const edits: readonly Edit[] = [
  {
    what: 'set of 10,000: one network added',
    lines: { dynamic: 10, native: 8 },
    before: plain(10_000),
    after: many(`list.push({ cidr: '10.7.7.7', action: 'deny' })`, 10_000),
  },
  {
    what: 'set of 400: one network removed',
    lines: { dynamic: 10, native: 8 },
    before: plain(),
    after: many('list.splice(99, 1)'),
  },
  {
    what: 'set of 400: one description',
    lines: { dynamic: 11, native: 9 },
    before: plain(),
    after: many(`list[99].description = 'b: c'`),
  },
  {
    what: 'set of 400: one action',
    lines: { dynamic: 11, native: 9 },
    before: plain(),
    after: many(`list[99].action = 'deny'`),
  },
  {
    what: 'set of 400: four rules far from each other',
    lines: { dynamic: 32, native: 30 },
    before: plain(),
    after: many(`for (const i of [50, 150, 250, 350]) list[i].action = 'deny'`),
  },
  {
    what: 'set of 400: becomes exclusive',
    lines: { dynamic: 4, native: 1 },
    before: plain(),
    after: set(rules(400), { exclusive: true, overwriteExisting: true }),
  },
  {
    what: 'set of 200: the first edit, four rules far from each other',
    lines: { dynamic: 35, native: 33 },
    before: plain(200),
    after: many(`for (const i of [25, 75, 125, 175]) list[i].action = 'deny'`, 200),
  },
  {
    what: 'set of 200: becomes exclusive, its first edit',
    lines: { dynamic: 8, native: 1 },
    before: plain(200),
    after: set(rules(200), { exclusive: true, overwriteExisting: true }),
  },
  { what: 'set of 4: created', lines: { dynamic: 8, native: 8 }, before: '', after: plain(4) },
  { what: 'set of 4: deleted', lines: { dynamic: 8, native: 8 }, before: plain(4), after: '' },
  { what: 'set of 400: created', lines: { dynamic: 3, native: 3 }, before: '', after: plain() },
  { what: 'set of 400: deleted', lines: { dynamic: 3, native: 3 }, before: plain(), after: '' },
  {
    what: 'set of 400: another policy, hence replaced',
    lines: { dynamic: 3, native: 1 },
    before: plain(),
    after: set(rules(400), { ipPolicyId: otherPolicyId }),
  },
  {
    what: '30 patterns: one more in front',
    lines: { dynamic: 36, native: 33 },
    before: filter(patterns),
    after: filter(`['nikto', ...${patterns}]`),
  },
  {
    what: '30 patterns: one less',
    lines: { dynamic: 35, native: 32 },
    before: filter(patterns),
    after: filter(`${patterns}.toSpliced(9, 1)`),
  },
  {
    what: 'filter switched off',
    lines: { dynamic: 35, native: 1 },
    before: filter(patterns),
    after: filter(patterns, { enabled: false }),
  },
  {
    what: 'traffic policy of 20 rules: created',
    lines: { dynamic: 226, native: 226 },
    before: '',
    after: policy(traffic),
  },
  {
    what: 'traffic policy of 20 rules: one expression',
    lines: { dynamic: 14, native: 12 },
    before: policy(traffic),
    after: policy(
      `${traffic}.with(9, { name: 'office 9', expressions: ['true'], actions: [{ type: 'deny' }] })`,
    ),
  },
  {
    what: 'traffic policy of 20 rules: one more in front',
    lines: { dynamic: 20, native: 18 },
    before: policy(traffic),
    after: policy(`[{ name: 'first', expressions: ['true'], actions: [{ type: 'deny' }] }, ...${traffic}]`),
  },
  {
    what: 'traffic policy switched off',
    lines: { dynamic: 7, native: 1 },
    before: policy(traffic),
    after: policy(traffic, { enabled: false }),
  },
];

const nameOf = (index: number): string => `edit-${String(index).padStart(2, '0')}`;

const indexOf = (title: string): number => edits.findIndex(({ what }) => what === title);

const programOf = (side: 'before' | 'after') =>
  program(
    `${edits.map((edit, index) => `{ const name = '${nameOf(index)}'; ${edit[side]} }`).join('\n')} return {};`,
  );

test('typical edits take so many lines of a preview, and docs/contributing/previews.md says how many', async () => {
  const { stack } = await stackOnService({ program: programOf('before') });
  await stack.up();
  stack.writeProgram(programOf('after'));
  const { stdout } = await stack.preview({ args: ['--diff'] });
  const measured = edits.map(({ what }, index) => [what, linesOf(stdout, nameOf(index)).length]);
  expect(measured).toEqual(edits.map(({ what, lines }) => [what, lines[testedHost]]));
  expect(changesOf(stdout, nameOf(indexOf('30 patterns: one more in front')))).toEqual([
    expect.stringMatching(/^~ deny *: \[$/),
    '+ [30]: "nikto"',
  ]);
  expect(changesOf(stdout, nameOf(indexOf('30 patterns: one less')))).toEqual([
    expect.stringMatching(/^~ deny *: \[$/),
    '~ [9]: "(?i)crawler-9" => "(?i)crawler-29"',
    '- [29]: "(?i)crawler-29"',
  ]);
  // All of them in one comment of a pull request, which holds 65,536 characters.
  expect(stdout.length).toBeLessThan(32_768);
  const page = readFileSync(path.join(checkout, 'docs/contributing/previews.md'), 'utf8');
  for (const { what, lines } of edits)
    expect(page).toMatch(new RegExp(`^\\| ${what} +\\| +${lines.dynamic} \\| +${lines.native} \\|$`, 'm'));
});
