// An object whose state says that it may differ is both: what was there, and what was sent.
import { readStackState } from '../../../review/src';
import { agents, policyRule, previewOf, ruleSet, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, rule, SECRET, setInputs, within } from './inputs';
import { demanding, newIds, reviewed, told } from './reviewing';

const mark = (known: object, sent: unknown) => ({
  outputs: { ...known, unsettledSince: '2026-06-15T00:00:00Z', unsettledInputs: sent },
});
const [small, large] = [rule('10.1.0.0/16'), rule('10.0.0.0/8')];
const denied = edgeInputs(denyIf(within('10.0.0.0/8')));
const change = (known: object, sent: unknown, after: object) => ({
  before: known,
  after,
  op: 'update',
  state: mark(known, sent),
});

test.each<[string, MadeResource, boolean]>([
  [
    'a rule that may have become smaller: what the two networks do not share may be gained',
    policyRule('it', change(large, small, large)),
    true,
  ],
  ['a rule that becomes what the two share', policyRule('it', change(large, small, small)), false],
  ['a rule of which is hidden what was sent', policyRule('it', change(large, SECRET, large)), true],
  [
    'a set that may have lost an allow',
    ruleSet(
      'it',
      change(
        setInputs(['10.0.0.0/8: allow', '192.0.2.0/24: allow']),
        setInputs(['10.0.0.0/8: allow']),
        setInputs(['10.0.0.0/8: allow', '192.0.2.0/24: allow']),
      ),
    ),
    true,
  ],
  ['an edge that may deny nobody', tcp('it', change(denied, edgeInputs(), edgeInputs())), true],
  ['an edge of which is hidden what was sent', tcp('it', change(denied, {}, edgeInputs())), true],
  [
    'a route that may refuse nobody',
    agents('it', change(filterInputs(['bot']), filterInputs([]), filterInputs([]))),
    true,
  ],
])('%s', (_, resource, isGain) => {
  const { findings, verdict } = reviewed([resource], { noNewAccess: true });
  const gains = findings.filter(({ id }) => id === 'new-access');
  expect([gains.length > 0, verdict.affectsAccess]).toEqual([isGain, true]);
});

test('what both contents share holds for sure, whichever is live', () => {
  const preview = previewOf(policyRule('it', { ...change(large, small, large), op: 'same' }));
  const outcome = (demands: object) => reviewed(preview, demanding(demands)).verdict.outcome;
  expect(outcome({ mustAllow: ['10.1.0.0/16'] })).toBe('clear');
  expect(outcome({ mustAllow: ['10.0.0.0/8'] })).not.toBe('clear');
  expect(reviewed(preview).verdict.affectsAccess).toBe(false);
});

describe('an operation that a killed run has begun', () => {
  const office = policyRule('office', { before: large, after: large });
  const judged = (type: string, of: MadeResource, inputs: object, resources = [office]) => {
    const preview = previewOf(...resources);
    const [step] = previewOf(of).steps;
    const { urn, type: token } = step?.old ?? step?.new ?? {};
    const pending_operations = [{ type, resource: { urn, type: token, inputs } }];
    const old = preview.steps.flatMap(({ old: state }) => (state ? [{ ...state, custom: true }] : []));
    const state = readStackState(JSON.stringify({ deployment: { resources: old, pending_operations } }));
    return (demands: object) => reviewed(preview, { ...demanding(demands), state });
  };
  const failed = (report: ReturnType<typeof reviewed>) =>
    newIds(report).includes('assertion-failed') || report.verdict.outcome !== 'clear';

  const within8 = { neverWiderThan: ['10.0.0.0/8'] };

  test('an update may have been carried out', () => {
    expect(failed(judged('updating', office, rule('0.0.0.0/0'))(within8))).toBe(true);
    expect(failed(judged('updating', office, small)(within8))).toBe(false);
  });

  test('so may a delete, and a create of what the program has given up', () => {
    expect(failed(judged('deleting', office, large)({ mustAllow: ['10.0.0.0/8'] }))).toBe(true);
    const gone = policyRule('gone', { after: rule('0.0.0.0/0') });
    expect(failed(judged('creating', gone, rule('0.0.0.0/0'))(within8))).toBe(true);
    expect(failed(judged('reading', gone, rule('0.0.0.0/0'))(within8))).toBe(false);
  });

  test('what it may have added to a set is in no state, so no later change of the set removes it', () => {
    const setOf = (...networks: string[]) => setInputs(networks.map((cidr) => `${cidr}: allow`));
    const sides = { before: setOf('10.0.0.0/8'), after: setOf('10.0.0.0/8', '10.1.0.0/16') };
    const changed = ruleSet('set', sides);
    const sent = (...networks: string[]) =>
      newIds(judged('updating', changed, setOf(...networks), [changed])(within8));
    expect(sent('10.0.0.0/8', '0.0.0.0/0')).toContain('assertion-not-checked');
    expect(sent('10.0.0.0/8', '10.2.0.0/16')).not.toContain('assertion-not-checked');
    expect(sent('0.0.0.0/0')).toContain('assertion-not-checked');
  });

  test('its object may be where the program needs another one, unless that one may overwrite', () => {
    const stops = (after: object, type: string, of: MadeResource) =>
      told(judged(type, of, rule('9.0.0.0/8'), [office, policyRule('new', { after })])({}), 'up-would-fail');
    const made = policyRule('new', { after: rule('9.0.0.0/8') });
    for (const [type, of, name] of [
      ['creating', made, 'new'] as const,
      ['updating', office, 'office'] as const,
    ])
      expect(stops(rule('9.0.0.0/8'), type, of)).toEqual([
        expect.stringMatching(
          `The up may stop at "new": .* which the last write of "${name}" may have taken`,
        ),
      ]);
    expect(stops({ ...rule('9.0.0.0/8'), overwriteExisting: true }, 'creating', made)).toEqual([]);
    expect(stops(rule('9.0.0.0/9'), 'creating', made)).toEqual([]);
  });

  test('the delete of a module is not decidable', () => {
    const edge = tcp('edge', { before: denied, after: denied });
    expect(told(judged('deleting', edge, denied, [office, edge])({}))).toEqual([
      expect.stringMatching(
        /^high preview-incomplete: A run was interrupted while it deleted "edge": run .* recover/,
      ),
    ]);
  });
});
