import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAssertionFile, readPreviewDocument } from '../../../provider/src/review';
import { plain } from '../../../provider/src/review/report/escape';
import { added, kept, previewOf, previewSteps, rule } from './preview-builder';
import type { MadeResource } from './preview-builder';
import { newIds, reviewed } from './reviewing';

const NAME = 'edge-policy.assertions.json';
const policy = (mustAllow: readonly string[], mustDeny: readonly string[] = [], ipPolicyId = 'ipp_1') =>
  readAssertionFile(JSON.stringify({ policies: [{ ipPolicyId, mustAllow, mustDeny }] }), NAME);
const filterAssertions = (mustAllow: readonly (string | null)[], mustDeny: readonly (string | null)[] = []) =>
  readAssertionFile(
    JSON.stringify({
      userAgentFilters: [{ edgeId: 'edghts_1', routeId: 'edghtsrt_1', mustAllow, mustDeny }],
    }),
    NAME,
  );
const outcomes = (assertions: ReturnType<typeof policy>, ...resources: MadeResource[]): string[] =>
  reviewed(previewOf(...resources), { assertions }).assertions.map(
    ({ outcome, because }) => `${outcome}: ${plain(because)}`,
  );

const office = kept('office', rule('8.8.8.0/24'));
const block = kept('block', rule('8.8.8.128/25', 'deny'));

test('mustAllow: an address, with the deciding rule', () => {
  expect(outcomes(policy(['8.8.8.1', '8.8.8.200', '9.9.9.9']), office, block)).toEqual([
    'holds: "8.8.8.1/32" is let in by the allow rule "8.8.8.0/24" of "office"',
    'fails: "8.8.8.200/32" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'fails: "9.9.9.9/32" is kept out as no rule lets it in',
  ]);
});

test('mustAllow: of a network every address must get in, and the first that does not is named', () => {
  expect(outcomes(policy(['8.8.8.0/24', '8.8.8.0/25']), office, block)).toEqual([
    'fails: "8.8.8.128/25" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'holds: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
  ]);
});

test('mustDeny: of a network no address may get in', () => {
  expect(outcomes(policy([], ['8.8.8.0/24', '8.8.8.128/26', '2600::/12']), office, block)).toEqual([
    'fails: "8.8.8.0/25" is let in by the allow rule "8.8.8.0/24" of "office"',
    'holds: "8.8.8.128/26" is kept out by the deny rule "8.8.8.128/25" of "block"',
    'holds: "2600::/12" is kept out as no rule lets it in',
  ]);
});

test('a hidden rule leaves open only what it could decide', () => {
  const secretAllow = kept('secret', rule('[secret]'));
  const secretDeny = kept('secret', rule('[secret]', 'deny'));
  const words = (...resources: MadeResource[]) =>
    outcomes(policy(['8.8.8.1', '9.9.9.9'], ['8.8.8.1', '9.9.9.9']), ...resources).map(
      (outcome) => outcome.split(':', 1)[0],
    );
  expect(words(office, secretAllow)).toEqual(['holds', 'not-checked', 'fails', 'not-checked']);
  expect(words(office, secretDeny)).toEqual(['not-checked', 'fails', 'not-checked', 'holds']);
});

test('user agents: with the deciding pattern, and the missing header as null', () => {
  const filter: MadeResource = {
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    name: 'ua',
    after: { edgeId: 'edghts_1', routeId: 'edghtsrt_1', enabled: true, allow: [], deny: ['curl'] },
  };
  expect(outcomes(filterAssertions(['Mozilla/5.0', 'curl/8'], ['curl/8', null]), filter)).toEqual([
    'holds: no pattern decides',
    'fails: decided by the deny pattern "curl"',
    'holds: decided by the deny pattern "curl"',
    'holds: no pattern decides',
  ]);
});

test('assertion-failed and assertion-not-checked are findings', () => {
  expect(newIds(reviewed(previewOf(office), { assertions: policy(['9.9.9.9']) }))).toEqual([
    'assertion-failed',
  ]);
  for (const assertions of [
    policy(['8.8.8.8'], [], 'ipp_other'),
    policy(['8.8.8.8/33']),
    filterAssertions(['curl']),
  ]) {
    const report = reviewed(previewOf(office), { assertions });
    expect(newIds(report)).toEqual(['assertion-not-checked']);
    expect(report.verdict.outcome).toBe('not-decidable');
  }
});

test('a program states its assertions as a component of its own', () => {
  const component = (inputs: object) => ({
    op: 'create',
    urn: 'urn:pulumi:dev::acme::edge-policy:index:AccessAssertions::access',
    newState: { type: 'edge-policy:index:AccessAssertions', inputs },
  });
  const preview = previewOf(office);
  const withComponent = (inputs: object) => ({
    ...preview,
    steps: [...preview.steps, ...previewSteps(component(inputs))],
  });
  expect(
    reviewed(withComponent({ policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['8.8.8.8'] }] })).assertions,
  ).toMatchObject([{ outcome: 'fails' }]);
  const unknown = {
    policies: [{ ipPolicyId: '04da6b54-80e4-46f7-96ec-b56ff0331ba9', mustDeny: ['8.8.8.8'] }],
  };
  expect(reviewed(withComponent(unknown)).assertions).toMatchObject([{ outcome: 'not-checked' }]);
});

test('recorded: the assertions of a program, as the CLI shows its component', () => {
  const text = readFileSync(join(__dirname, 'fixtures', 'program-assertions.json'), 'utf8');
  const { assertions } = reviewed(readPreviewDocument(text));
  expect(
    assertions.map(
      ({ assertion, outcome }) => `${assertion.expectation} ${assertion.target ?? 'no header'}: ${outcome}`,
    ),
  ).toEqual([
    'allow 203.0.113.9: not-checked',
    'allow 1.1.1.1: fails',
    'deny 198.51.101.0/24: holds',
    'allow Mozilla: holds',
    'deny no header: holds',
    'deny curl/8: holds',
  ]);
});

const waived = (waiver: object) =>
  readAssertionFile(
    JSON.stringify({
      waivers: [{ finding: 'open-to-all', reason: 'public site', expires: '2026-06-15', ...waiver }],
    }),
    NAME,
  );
const open = added('open', rule('0.0.0.0/0'));

test('a waiver covers a finding, which stays visible and stops nothing', () => {
  const review = (waiver: object, today = '2026-06-15') =>
    reviewed(previewOf(open), { assertions: waived(waiver), today, failOn: 'critical' });
  expect(reviewed(previewOf(open), { failOn: 'critical' }).verdict.outcome).toBe('findings');
  for (const subject of [
    undefined,
    'ipp_1',
    'open',
    'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::open',
  ]) {
    const report = review({ subject });
    expect(report.verdict.outcome).toBe('clear');
    expect(report.findings.find((found) => found.id === 'open-to-all')?.waiver?.reason).toBe('public site');
  }
  expect(review({ subject: 'ipp_2' }).verdict.outcome).toBe('findings');
});

test('a waiver holds until the end of its day, and is a finding the day after', () => {
  const review = (today: string) =>
    reviewed(previewOf(open), { assertions: waived({}), today, failOn: 'critical' });
  expect(review('2026-06-15').verdict.outcome).toBe('clear');
  expect(review('2026-06-16').verdict.outcome).toBe('findings');
  expect(newIds(review('2026-06-16'))).toContain('waiver-expired');
});

test('a waiver of nothing is a finding', () => {
  expect(newIds(reviewed(previewOf(office), { assertions: waived({}) }))).toEqual(['waiver-unused']);
});

test.each([
  ['nonsense', 'must hold a JSON object'],
  ['{"policy":[]}', 'has the key "policy"; it may have $schema, policies, userAgentFilters, waivers'],
  ['{"policies":{}}', 'policies must be a list'],
  ['{"policies":[{"mustAllow":[]}]}', 'policies[0].ipPolicyId must be a text'],
  ['{"policies":[{"ipPolicyId":"ipp_1","mustAlow":[]}]}', 'policies[0] has the key "mustAlow"'],
  ['{"policies":[{"ipPolicyId":"ipp_1","mustAllow":[null]}]}', 'policies[0].mustAllow[0] must be an address'],
  [
    '{"policies":[{"ipPolicyId":"ipp_1","mustAllow":[1]}]}',
    'policies[0].mustAllow[0] must be a text or null',
  ],
  [
    '{"waivers":[{"finding":"nothing","reason":"x","expires":"2026-01-01"}]}',
    'waivers[0].finding is no kind of finding',
  ],
  ['{"waivers":[{"finding":"preview-incomplete","reason":"x","expires":"2026-01-01"}]}', 'cannot be waived'],
  [
    '{"waivers":[{"finding":"open-to-all","reason":" ","expires":"2026-01-01"}]}',
    'waivers[0].reason must be a text',
  ],
  [
    '{"waivers":[{"finding":"open-to-all","reason":"x","expires":"2026-13-01"}]}',
    'waivers[0].expires must be a date',
  ],
])('the file %s is refused: %s', (text, message) => {
  expect(() => readAssertionFile(text, NAME)).toThrow(message);
});

test('assertions of the program that the preview does not show are not decidable', () => {
  const urn = 'urn:pulumi:dev::acme::edge-policy:index:AccessAssertions::access';
  const newState = { urn, custom: false, type: 'edge-policy:index:AccessAssertions', inputs: {} };
  const text = JSON.stringify({ steps: [{ op: 'create', urn, newState }] });
  const report = reviewed(readPreviewDocument(text));
  expect(report.verdict.outcome).toBe('not-decidable');
  expect(newIds(report)).toEqual(['preview-incomplete']);
});
