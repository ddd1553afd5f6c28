// Until a gate names how the service combines rules, a change has "no effect" only if it has none under every model.
import { IP_MODELS } from '../../../review/src';
import { OPEN_MODELS } from '../../../review/src/effects/other-models';
import { agents, kept, removed, ruleSet, type MadeResource } from './preview-builder';
import { filterInputs, rule } from './inputs';
import { demanding, newIds, reviewed, told, type Wishes } from './reviewing';

const judged = (resources: readonly MadeResource[], wishes: Wishes = {}) =>
  reviewed(resources, { openModels: OPEN_MODELS, ...wishes });

/** Fifty denies, and nothing else. */
const denies = (third: number) => ({
  ipPolicyId: 'ipp_1',
  rules: JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 50 }, (_, last) => [`203.0.${third}.${last}/32`, { action: 'deny' }]),
    ),
  ),
});
const moving = ruleSet('denies', { before: denies(112), after: denies(114) });

test('denies of a policy without an allow move: no effect as assumed, and one under a model that nobody chose', () => {
  const assumed = judged([moving], { openModels: [] });
  expect(assumed.verdict.affectsAccess).toBe(false);
  const report = judged([moving]);
  expect(report.verdict).toMatchObject({ affectsAccess: true, outcome: 'clear' });
  expect(told(report, 'model-not-chosen')).toEqual([
    expect.stringMatching(
      /^medium model-not-chosen: Under block-list and allow-overrides: In IPv4, "203\.0\.112\.0\/27",.*\(50 addresses\) can get in and could not before\.$/,
    ),
  ]);
});

test.each<[fact: string, resources: readonly MadeResource[], found: string]>([
  [
    'a deny of a /8 goes from a policy that allows nobody there',
    [kept('a', rule('192.0.2.0/24')), removed('b', rule('12.0.0.0/8', 'deny'))],
    'high model-not-chosen: Under block-list and allow-overrides: Nothing keeps anyone out of "ipp_1" any more: "12.0.0.0/8" (about 16.8 million addresses) can get in and could not before.',
  ],
  [
    'a deny goes that a wider one allows only in part: at most medium',
    [kept('a', rule('12.0.0.0/24')), removed('b', rule('12.0.0.0/8', 'deny'))],
    'medium model-not-chosen: Under block-list: Nothing keeps anyone out of "ipp_1" any more: "12.0.0.0/8" (about 16.8 million addresses) can get in and could not before.',
  ],
])('%s', (_fact, resources, found) => {
  expect(told(judged(resources), 'model-not-chosen')).toEqual([found]);
});

test('with a model named, nothing is judged under another one', () => {
  for (const ipModel of IP_MODELS) {
    const report = judged([moving], { openModels: ['userAgentModel'], assumptions: { ipModel } });
    expect(newIds(report)).not.toContain('model-not-chosen');
  }
});

test('assertions and noNewAccess are judged as assumed', () => {
  const report = judged([moving], { noNewAccess: true, ...demanding({ mustDeny: ['203.0.112.0/32'] }) });
  expect(newIds(report)).toEqual(['model-not-chosen', 'deny-without-effect']);
  expect(report.verdict.outcome).toBe('clear');
});

test('a filter: a deny pattern that is also an allow pattern changes nothing as assumed, and keeps clients out under others', () => {
  const filter = agents('agents', {
    before: filterInputs([], ['curl/8']),
    after: filterInputs(['curl/8'], ['curl/8']),
  });
  expect(judged([filter], { openModels: [] }).verdict.affectsAccess).toBe(false);
  const report = judged([filter]);
  expect(report.verdict.affectsAccess).toBe(true);
  expect(told(report, 'model-not-chosen')).toEqual([
    expect.stringMatching(/^\w+ model-not-chosen: Under deny-wins and allow-required: .*edghts_1/),
  ]);
});
