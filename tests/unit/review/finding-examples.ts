import type { ServiceRule } from '../../../provider/src/rule/rule';
import { trusted } from '../../../review/src/text/sentence';
import type { FindingId } from '../../../review/src/findings/catalog';
import { added, agents, kept, previewOf, removed, ruleSet, stepsOf, tcp } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, setInputs } from './inputs';
import { pinned, publishing } from './pinned-feeds';
import { logOf, trafficOf } from './made-log';
import { asserting, demanding, reviewed, type Wishes } from './reviewing';
import { readBaseAssertionFile, type RevisionFeeds } from '../../../review/src';

/** A change that brings a finding, for the page of findings and its test. */
export interface FindingExample {
  readonly resources: readonly MadeResource[];
  readonly wishes?: Wishes;
  /** For what no resources can show. */
  readonly previewText?: string;
}

const office = kept('office', rule('192.0.2.0/24'));
const branch = added('branch', rule('198.51.100.0/24'));
const home = removed('home', rule('203.0.113.0/24'));
const site = added('site', rule('0.0.0.0/0'));

const edge = (before: object | undefined, after?: object) => tcp('tcp', { before, after });
const block = (name: string, expression: string) => ({ name, ...denyIf(expression) });
const [scanners, bots] = [
  block('scanners', "conn.client_ip == '192.0.2.1'"),
  block('bots', "conn.client_ip == '192.0.2.2'"),
];

const filter = (before: object | undefined, after: object) => agents('agents', { before, after });
const exclusiveSet: MadeResource = ruleSet('site', {
  after: { ipPolicyId: 'ipp_1', exclusive: true, rules: '{"203.0.113.0/24":{"action":"allow"}}' },
});
const vendor = (until?: string) =>
  JSON.stringify({ '198.51.100.7/32': { action: 'allow', ...(until !== undefined && { until }) } });
const vendors = (before: string, after: string): MadeResource =>
  ruleSet('vendors', {
    before: { ipPolicyId: 'ipp_1', rules: before },
    after: { ipPolicyId: 'ipp_1', rules: after },
  });
const noCurl = filterInputs(['^curl/']);

const lately = trafficOf(
  logOf([
    { network: '203.0.113.7/32', requests: 2310 },
    { network: '192.0.2.7/32', requests: 12 },
  ]),
);

const asking = (file: object) => ({ assertions: asserting(file) });
const OPEN = { finding: 'open-to-all', subject: 'policy:ipp_1', reason: 'public site' };
const waiver = (expires: string) => ({ waivers: [{ ...OPEN, networks: ['0.0.0.0/0'], expires }] });
const OUTDATED = readBaseAssertionFile(
  '{"gate":{"terminalActions":["deny"]}}',
  'edge-policy.assertions.json',
);

const listed = (...networks: string[]) => pinned({ cdn: { networks } });
const grownList = [kept('cdn-0', rule('1.1.1.0/24')), added('more', rule('9.9.9.0/24'))];
const feedsOf = (change: RevisionFeeds, base: RevisionFeeds, published?: readonly string[]): Wishes => ({
  feeds: { change, base, published: publishing(published && { cdn: published }) },
});

const of = (...resources: readonly MadeResource[]): FindingExample => ({ resources });
const under = (wishes: Wishes, ...resources: readonly MadeResource[]): FindingExample => ({
  ...{ resources, wishes },
});

const URN = previewOf(office).steps[0]?.urn.text ?? '';
const drifted = (kind: 'changed' | 'gone' | 'added', what: string): FindingExample =>
  under({ drift: { items: [{ kind, urn: URN, what: trusted(what) }], unmanaged: [] } }, office);

const UNMANAGED: ServiceRule = {
  ...{ id: 'ipr_2', cidr: '198.51.100.7/32', action: 'allow', ipPolicyId: 'ipp_1', uri: '' },
  createdAt: '2026-06-14T03:12:00Z',
};

/** One example of each kind of finding. */
export const FINDING_EXAMPLES: Readonly<Record<FindingId, FindingExample>> = {
  'access-widened': of(office, branch),
  'access-narrowed': of(office, removed('branch', rule('198.51.100.0/24'))),
  'open-to-all': of(added('low-half', rule('0.0.0.0/1')), added('high-half', rule('128.0.0.0/1'))),
  'open-to-most': of(added('typo', rule('0.0.0.0/1'))),
  'nobody-let-in': of(office, added('incident', rule('192.0.0.0/16', 'deny'))),
  'access-may-change': of(office, kept('guests', rule(SECRET, 'deny')), branch),
  'exclusive-set-takes-over': of(exclusiveSet),
  'exclusive-set-released': of({
    ...exclusiveSet,
    before: { ...exclusiveSet.after },
    after: { ...exclusiveSet.after, exclusive: false },
  }),
  'overwrite-not-seen': of(added('office', { ...rule('192.0.2.0/24'), overwriteExisting: true })),
  'up-would-fail': of(removed('office', rule('192.0.2.0/24')), added('head-office', rule('192.0.2.0/24'))),
  'exclusive-set-contested': of(office, exclusiveSet),
  'access-meanwhile': of(office, branch, added('attacker', rule('198.51.100.66/32', 'deny'))),
  'model-not-chosen': under(
    { openModels: ['ipModel'] },
    office,
    removed('attacker', rule('198.51.100.66/32', 'deny')),
  ),
  'left-on-service': of({ ...removed('old', rule('198.51.100.0/24')), state: { retainOnDelete: true } }),
  'rule-covered': of(office, added('desk', rule('192.0.2.7/32'))),
  'rule-covered-by-union': of(
    added('office', rule('192.0.2.0/24')),
    added('east', rule('192.0.2.0/25')),
    added('west', rule('192.0.2.128/25')),
  ),
  'output-as-text': of(
    edge(
      undefined,
      edgeInputs(
        block('scanners', "conn.client_ip == 'Calling [toString] on an [Output<T>] is not supported.'"),
      ),
    ),
  ),
  'allow-without-effect': of(
    office,
    added('east', rule('192.0.2.0/25', 'deny')),
    added('west', rule('192.0.2.128/25', 'deny')),
  ),
  'deny-without-effect': of(office, added('attacker', rule('198.51.100.66/32', 'deny'))),
  'rule-not-declarable': of(office, added('ipr_2', rule('198.51.100.7/24'))),
  'rule-left-out': of(
    ruleSet('site', {
      before: setInputs(['8.8.8.0/24: allow']),
      after: setInputs(['8.8.8.0/24: allow', 'left out 8.8.8.66/32: deny until 2025-11-30']),
    }),
  ),
  'rule-ended': of(vendors(vendor('2026-05-31'), vendor('2026-05-31'))),
  'end-required': under({ requires: { until: [{ maxDays: 90 }] } }, vendors('{}', vendor())),
  'assertion-will-break': under(
    demanding({ mustAllow: ['198.51.100.7'] }),
    vendors('{}', vendor('2026-12-31')),
  ),
  'drift-changed': drifted('changed', 'action is "deny" instead of "allow"'),
  'drift-gone': drifted('gone', '"ipr_1" no longer exists'),
  'drift-added': drifted('added', '"198.51.100.7/32 allow" is live as well'),
  'rule-unmanaged': under({ drift: { items: [], unmanaged: [UNMANAGED] } }, office),
  'protection-lost': of(edge(edgeInputs(scanners), edgeInputs())),
  'module-off': of(edge(undefined, { ...edgeInputs(scanners), enabled: false })),
  'module-declared-twice': of(
    { ...edge(edgeInputs(scanners), edgeInputs(scanners)), name: 'first' },
    { ...edge(undefined, edgeInputs(bots)), name: 'second' },
  ),
  'traffic-policy-unreadable': of(
    edge(edgeInputs(scanners), { edgeId: 'edgtcp_1', enabled: true, value: '[]' }),
  ),
  'traffic-rule-changed': of(edge(edgeInputs(scanners), edgeInputs({ ...bots, name: 'scanners' }))),
  'traffic-phase-mistyped': of(
    edge(undefined, { edgeId: 'edgtcp_1', value: JSON.stringify({ inbuond: [scanners] }) }),
  ),
  'user-agents-widened': of(filter(noCurl, filterInputs(['^Wget/']))),
  'user-agents-may-change': of(filter(filterInputs(['bot']), filterInputs(['\\bbot\\b', 'robot\\b']))),
  'user-agents-narrowed': of(filter(noCurl, filterInputs(['^curl/', '^Wget/']))),
  'user-agent-pattern-invalid': of(filter(noCurl, filterInputs(['^(?!Mozilla)']))),
  'user-agent-filter-open': of(filter(undefined, filterInputs([], ['^Mozilla/']))),
  'preview-incomplete': { resources: [], previewText: '{"steps":[],"changeSummary":{"same":12}}' },
  'value-hidden': of(office, added('partner', rule(SECRET))),
  'assertion-failed': under(demanding({ mustDeny: ['198.51.100.7'] }), office, branch),
  'assertion-not-checked': under(demanding({ ipPolicyId: 'ipp_2', mustAllow: ['192.0.2.7'] }), office),
  'locked-out': under({ mustAllow: ['203.0.113.7'] }, office, removed('home', rule('203.0.113.7/32'))),
  'new-access': under({ noNewAccess: true }, office, branch),
  'clients-locked-out': under({ traffic: lately, maxRefusedClients: 0 }, office, home),
  'clients-refused': under({ traffic: lately }, office, home),
  'clients-not-checked': under({ maxRefusedClients: 0 }, office, home),
  'guard-weakened': under(
    {
      ...asking({ gate: { failOn: 'critical' } }),
      base: asking({
        policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['198.51.100.7'] }],
        gate: { failOn: 'medium' },
      }),
    },
    office,
  ),
  'plan-differs': under(
    { expected: reviewed([office, branch]).plan.plan },
    office,
    added('branch', rule('198.51.0.0/16')),
  ),
  'base-assertions-unread': under({ base: { problem: 'base.json cannot be read' } }, office),
  'state-drifted': under({ liveRules: [] }, office),
  'service-changed': of(
    stepsOf('pulumi:providers:pulumi-nodejs')('account', {
      before: { baseUrl: 'https://a.example' },
      after: { baseUrl: 'https://b.example' },
    }),
  ),
  'base-assertions-outdated': under({ base: { assertions: OUTDATED } }, office),
  'guards-without-base': under({ ...asking({ gate: { failOn: 'never' } }), base: 'not-known' }, office),
  'waiver-incomplete': under(asking({ waivers: [{ ...OPEN, expires: '2026-12-31' }] }), site),
  'waiver-too-long': under(asking(waiver('2027-06-16')), site),
  'waiver-expired': under(asking(waiver('2026-06-14')), site),
  'reason-required': under(
    { requires: { description: true, metadata: ['owner', 'ticket'] } },
    added('vendor', { ...rule('192.0.2.66/32'), metadata: '{"owner":"web"}' }),
  ),
  'base-feeds-unread': under(
    feedsOf(listed('192.0.2.0/24'), { problem: 'edge-policy.feeds.json is not a JSON object.' }),
    office,
  ),
  'feed-lock-broken': under(
    feedsOf(pinned({ cdn: { networks: ['192.0.2.0/24'], digest: 'sha256:0' } }), listed('192.0.2.0/24')),
    office,
  ),
  'feed-not-confirmed': under(
    feedsOf(listed('1.1.1.0/24', '9.9.9.0/24'), listed('1.1.1.0/24'), ['1.1.1.0/24']),
    ...grownList,
  ),
  'feed-beyond-bounds': under(
    feedsOf(
      listed('1.1.1.0/24', '9.9.9.0/24'),
      pinned({ cdn: { networks: ['1.1.1.0/24'], bounds: { atMost: 1.5 } } }),
      ['1.1.1.0/24', '9.9.9.0/24'],
    ),
    ...grownList,
  ),
  'feed-declared': under(feedsOf(listed('192.0.2.0/24'), pinned({})), office),
  'feed-stale': under(
    feedsOf(pinned({ cdn: { networks: ['192.0.2.0/24'], checked: '2026-01-31' } }), listed('192.0.2.0/24')),
    office,
  ),
};
