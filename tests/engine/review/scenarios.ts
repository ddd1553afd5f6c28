import { httpsEdgeId, otherPolicyId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { literal } from '../../support/programs';
import type { Statements } from './office';
import { bots, database, rule, scannersRule, siteSet, trafficRule, urnOfRule } from './office';

/** A change of the office's program, and what a review of it must come to. The whole report is in the golden file. */
export interface Scenario {
  /** The name of the golden file, without its ending. */
  readonly golden: string;
  readonly fact: string;
  readonly change: Statements;
  readonly exitCode: number;
  /** More arguments of `pulumi preview`. */
  readonly previewArgs?: readonly string[];
  /** More arguments of `review`. */
  readonly args?: readonly string[];
  /** Files that lie next to the program. */
  readonly files?: Readonly<Record<string, object>>;
}

const assertionFile = {
  'access.json': {
    policies: [
      { ipPolicyId: policyId, mustAllow: ['8.8.8.8', '8.8.8.0/24'], mustDeny: ['8.8.8.200', '1.2.3.4'] },
      { ipPolicyId: otherPolicyId, mustAllow: ['1.1.1.1'], mustDeny: ['1.0.0.66'] },
    ],
    waivers: [
      {
        finding: 'open-to-all',
        subject: `policy:${otherPolicyId}`,
        networks: ['0.0.0.0/0', '::/0'],
        reason: 'the public site',
        expires: '2026-12-31',
      },
      {
        finding: 'protection-lost',
        subject: `edge:${tcpEdgeId}`,
        networks: ['0.0.0.0/0', '::/0'],
        reason: 'the move to the new edge',
        expires: '2026-01-31',
      },
      {
        finding: 'open-to-most',
        subject: `policy:${policyId}`,
        networks: ['0.0.0.0/0', '::/0'],
        reason: 'nobody remembers',
        expires: '2026-12-31',
      },
    ],
  },
};

const programAssertions = `new AccessAssertions('access', ${literal({
  policies: [{ ipPolicyId: otherPolicyId, mustAllow: ['2606:4700::1111'], mustDeny: ['6.6.6.0/24'] }],
  userAgentFilters: [
    { edgeId: httpsEdgeId, routeId, mustAllow: ['kube-probe/1.31'], mustDeny: ['curl/8.5.0', null] },
  ],
})});`;

const changesOfPolicies: readonly Scenario[] = [
  {
    golden: 'widened',
    fact: 'new and shorter prefixes let more in, in both families',
    change: { branch: rule('branch', '9.9.0.0/16'), partner: rule('partner', '2a00:1450::/29') },
    exitCode: 1,
    args: ['--fail-on', 'medium'],
  },
  {
    golden: 'replaced',
    fact: 'rules that are replaced are away for a moment, in which others get in',
    change: {},
    previewArgs: ['guests', 'branch'].flatMap((name) => ['--replace', urnOfRule(name)]),
    exitCode: 0,
  },
];

const changesOfModules: readonly Scenario[] = [
  {
    golden: 'traffic-rules',
    fact: 'rules of a traffic policy are followed by name: moved, changed, added, removed, out of reach',
    change: {
      database: database([
        trafficRule('office-only', "!conn.client_ip.startsWith('8.8.')"),
        scannersRule,
        trafficRule('maintenance', ''),
        trafficRule('after-hours', "conn.client_ip == '9.9.9.9'"),
      ]),
    },
    exitCode: 1,
  },
  {
    golden: 'user-agents',
    fact: 'a filter is told by what becomes of real clients',
    change: {
      bots: bots({
        allow: ['^kube-probe/', 'Googlebot', 'Googlebot'],
        deny: ['(?i)bot', 'Mozila', '(python-requests)?'],
      }),
    },
    exitCode: 1,
  },
  {
    golden: 'hostile-names',
    fact: 'names and patterns of a stack cannot become a link, an image, a mention, a colour or reversed text',
    change: {
      '<img src=//x> | `@everyone`': rule('<img src=//x> | `@everyone` [a](//b)', '9.9.0.0/16'),
      bots: bots({ deny: ['</details> !\\[x\\]\\(//y\\) @team', '\u202efdp'] }),
      database: database([
        trafficRule('\u001b[31m| <script> \u202e ``` @team', "conn.client_ip == '1.2.3.4'"),
      ]),
    },
    exitCode: 1,
  },
];

const doubts: readonly Scenario[] = [
  {
    golden: 'not-decidable',
    fact: 'secret and unknown values are never taken for no change',
    change: {
      branch: `const branch = new IpPolicyRule('branch-new', { ipPolicyId: ${literal(policyId)}, cidr: '9.9.9.0/25', action: 'allow' });`,
      hidden: `new IpPolicyRule('hidden', { ipPolicyId: ${literal(policyId)}, cidr: pulumi.secret('5.5.5.0/24'), action: 'allow' });`,
      later: `new IpPolicyRule('later', { ipPolicyId: ${literal(policyId)}, cidr: branch.id.apply(() => '5.5.5.0/24'), action: 'deny' });`,
      site: `new IpPolicyRuleSet('site', { ipPolicyId: ${literal(otherPolicyId)}, rules: [{ cidr: '1.1.1.0/24', action: 'allow' }, { cidr: branch.id.apply(() => '1.0.0.0/24'), action: 'allow' }] });`,
    },
    exitCode: 2,
  },
  {
    golden: 'assertions-and-waivers',
    fact: 'assertions of a file and of the program name the deciding rule; waivers stay visible',
    change: { site: siteSet(['0.0.0.0/0', '2606:4700::/32'], ['6.6.6.0/24']), access: programAssertions },
    exitCode: 1,
    files: assertionFile,
  },
  {
    golden: 'block-list',
    fact: 'another evaluation model is another answer, and is named',
    change: { guests: undefined },
    exitCode: 1,
    args: ['--ip-model', 'block-list'],
  },
];

/** All changes that are reviewed as they are, by their golden file. */
export const scenarios: readonly Scenario[] = [...changesOfPolicies, ...changesOfModules, ...doubts];
