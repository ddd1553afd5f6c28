// An object whose state says that it may differ is both: what was there, and what was sent.
import { readStackState } from '../../../review/src';
import { policyRule, previewOf, ruleSet, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, rule, SECRET, setInputs, within } from './inputs';
import { demanding, newIds, reviewed } from './reviewing';

const mark = (known: object, sent: unknown) => ({
  outputs: { ...known, unsettledSince: '2026-06-15T00:00:00Z', unsettledInputs: sent },
});
const [small, large] = [rule('10.1.0.0/16'), rule('10.0.0.0/8')];
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
    'an edge of which is hidden what was sent',
    tcp('it', change(edgeInputs(denyIf(within('10.0.0.0/8'))), {}, edgeInputs())),
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
  const within8 = { neverWiderThan: ['10.0.0.0/8'] };

  test('a create of what the program has given up may have been carried out', () => {
    const gone = policyRule('gone', { after: rule('0.0.0.0/0') });
    const outcome = (type: string) => judged(type, gone, rule('0.0.0.0/0'))(within8).verdict.outcome;
    expect(outcome('creating')).not.toBe('clear');
    expect(outcome('reading')).toBe('clear');
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
});
