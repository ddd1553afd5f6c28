// More than forty ordinary pull requests, each with the worst that a review may say of it, written down before it was run. No gate names a
// model. An alarm about one of them costs more trust than it saves.
import { addressDigest } from '../../../provider/src/values/account-mark';
import { SEVERITIES } from '../../../review/src';
import { OPEN_MODELS } from '../../../review/src/effects/other-models';
import { added, agents, kept, removed, ruleSet, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, setInputs, UNKNOWN, within } from './inputs';
import { reviewed } from './reviewing';

const [A, B, C] = ['203.0.112.0/24', '203.0.114.0/24', '203.0.115.0/24'];
const office = kept('office', rule(A));
const changed = (name: string, before: object, after: object): MadeResource => ({
  ...{ type: 'IpPolicyRule', name },
  ...{ before: { ...before }, after: { ...after } },
});
const set = (before: readonly string[] | undefined, after?: readonly string[]): MadeResource =>
  ruleSet('set', { before: before && setInputs(before), after: after && setInputs(after) });
const allow = (cidr: string) => `${cidr}: allow`;
const deny = (cidr: string) => `${cidr}: deny`;
const edge = (before: readonly string[] | undefined, after?: readonly string[]): MadeResource => {
  const inputs = (networks: readonly string[]) => edgeInputs(...networks.map((cidr) => denyIf(within(cidr))));
  return tcp('edge', { before: before && inputs(before), after: after && inputs(after) });
};
const filter = (before: readonly string[] | undefined, after?: readonly string[]): MadeResource =>
  agents('bots', { before: before && filterInputs(before), after: after && filterInputs(after) });
const note = (text: string) => ({ ...rule(A), description: text });

/** An office more, with the address that check has noted before and after. */
const officeMoreAt = (before: string, after = before): readonly MadeResource[] => {
  const at = (service: string, cidr: string) => ({ ...rule(cidr), __service: service });
  const stays = { ...changed('office', at(before, A), at(after, A)), op: 'same' };
  return [stays, added('b', at(after, B))];
};

type Worst = (typeof SEVERITIES)[number] | 'nothing';

test.each<[worst: Worst, request: string, resources: readonly MadeResource[]]>([
  ['nothing', 'nothing changes', [office]],
  ['nothing', 'a description', [changed('office', note('old'), note('new'))]],
  [
    'medium',
    'a rule gets another name, and takes over',
    [removed('a', rule(A)), added('b', { ...rule(A), overwriteExisting: true })],
  ],
  ['nothing', 'a set names an office', [set([allow(A), allow(B)], [`${A}: allow 'Bern'`, allow(B)])]],
  ['nothing', 'lines of a set change places', [set([allow(A), allow(B)], [allow(B), allow(A)])]],
  ['nothing', 'a default is written out', [set([allow(A)], [allow(A)])]],
  ['nothing', 'a filter is sorted', [filter(['^curl/', '^Wget/'], ['^Wget/', '^curl/'])]],
  ['nothing', 'rules of an edge change places', [edge([A, B], [B, A])]],
  ['nothing', 'two halves joined', [set([allow('203.0.112.0/25'), allow('203.0.112.128/25')], [allow(A)])]],
  ['info', 'an ended vendor leaves', [set([allow(A), `${B}: allow until 2026-06-01`], [allow(A)])]],
  ['medium', 'an office more', [office, added('b', rule(B))]],
  ['medium', 'an office more in a set', [set([allow(A)], [allow(A), allow(B)])]],
  ['medium', 'an office moves', [kept('c', rule(C)), changed('office', rule(A), rule(B))]],
  ['medium', 'an office of a set moves', [set([allow(A), allow(C)], [allow(B), allow(C)])]],
  ['medium', 'an office grows', [changed('office', rule('203.0.112.0/25'), rule(A))]],
  ['medium', 'an IPv6 office more', [office, added('b', rule('2001:db9::/48'))]],
  ['medium', 'a vendor for a month', [set([allow(A)], [allow(A), `${B}: allow until 2026-07-14`])]],
  [
    'medium',
    'a vendor for longer',
    [set([allow(A), `${B}: allow until 2026-07-01`], [allow(A), `${B}: allow until 2026-08-01`])],
  ],
  ['medium', 'a first stack of one office', [added('office', rule(A))]],
  ['medium', 'a first set', [set(undefined, [allow(A), allow(B)])]],
  ['medium', 'a first stack with an allow and a deny', [set(undefined, [allow(A), deny('203.0.112.66/32')])]],
  ['medium', 'an allow with a deny', [set([allow(C)], [allow(C), allow(A), deny('203.0.112.66/32')])]],
  ['medium', 'a second policy', [office, added('b', rule(B, 'allow', 'ipp_2'))]],
  ['medium', 'an office for a policy of the same run', [office, added('b', rule(B, 'allow', UNKNOWN))]],
  [
    'medium',
    'a blocked address is let in again',
    [office, removed('ban', rule('203.0.112.66/32', 'deny')), kept('other', rule('203.0.112.67/32', 'deny'))],
  ],
  ['low', 'an office closes', [kept('b', rule(B)), kept('c', rule(C)), removed('office', rule(A))]],
  ['low', 'an office of a set closes', [set([allow(A), allow(B), allow(C)], [allow(A), allow(B)])]],
  ['low', 'an address is blocked', [office, added('ban', rule('203.0.112.66/32', 'deny'))]],
  ['low', 'an address is blocked in a set', [set([allow(A)], [allow(A), deny('203.0.112.66/32')])]],
  ['low', 'a guard against later allows', [office, added('guard', rule(B, 'deny'))]],
  ['low', 'a vendor for less time', [set([allow(A), allow(B)], [allow(A), `${B}: allow until 2026-08-01`])]],
  ['low', 'one of two equal rules goes', [set([allow(A), allow('203.0.112.0/25')], [allow(A)])]],
  ['low', 'an edge blocks one network more', [edge([A], [A, B])]],
  ['low', 'a first edge that blocks', [edge(undefined, [A])]],
  ['medium', 'an edge blocks one network less', [edge([A, B], [A])]],
  ['low', 'a filter blocks one crawler more', [filter(['^curl/'], ['^curl/', '^masscan/'])]],
  ['medium', 'a filter blocks one crawler less', [filter(['^curl/', '^masscan/'], ['^curl/'])]],
  ['low', 'a first filter', [filter(undefined, ['^masscan/'])]],
  ['nothing', 'a secret network stays as it is', [office, kept('hidden', rule(SECRET))]],
  ['medium', 'an office more, with the address of the environment', officeMoreAt('https://a.example', '')],
  ['medium', 'an office more, with a secret address', officeMoreAt(addressDigest('https://a.example'))],
  [
    'medium',
    'an office more, with an address that becomes secret',
    officeMoreAt('https://a.example', addressDigest('https://a.example')),
  ],
  ['medium', 'an office more beside a secret one', [kept('hidden', rule(SECRET)), added('b', rule(B))]],
])('at most %s: %s', (worst, _request, resources) => {
  const report = reviewed(resources, { openModels: OPEN_MODELS, failOn: 'high' });
  const found = report.findings.filter(({ isNew, severity }) => isNew && severity !== 'info');
  const allowed = worst === 'nothing' ? [] : SEVERITIES.slice(SEVERITIES.indexOf(worst));
  expect(found.filter(({ severity }) => !allowed.includes(severity))).toEqual([]);
  if (worst === 'nothing') expect(report.verdict.affectsAccess).toBe(false);
  // The gate lets each of them pass, and has nothing that a person would have to accept.
  expect([report.verdict.outcome, report.acceptance]).toEqual(['clear', undefined]);
});
