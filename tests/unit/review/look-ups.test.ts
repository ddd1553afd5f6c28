// What a program only looks up is live whatever the change does to the look-up: its content is that of the last run, if it is shown.
import { isEmptyCidrSet } from '../../../review/src/access/cidr-set';
import { added, kept, previewOf, removed, stateOf, stepsOf, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, rule, UNKNOWN, within } from './inputs';
import { newIds, reviewed, told, type Wishes } from './reviewing';

const EVERYBODY = rule('0.0.0.0/0');
const HALVES = [rule('0.0.0.0/1', 'deny'), rule('128.0.0.0/1', 'deny')] as const;

interface Seen {
  readonly op?: string;
  readonly id?: string;
  readonly type?: MadeResource['type'];
}

/** A look-up that the last run has made, and one that is new. */
const lookUp = (outputs: object, { op = 'read', id = 'id-seen', type = 'IpPolicyRule' }: Seen = {}) =>
  stepsOf(type)('seen', {
    op,
    before: {},
    state: { external: true, id, outputs },
    ...(op === 'read' && { after: {}, newState: { external: true, id } }),
  });
const newLookUp = (id = 'id-seen', type: MadeResource['type'] = 'IpPolicyRule') =>
  stepsOf(type)('seen', { op: 'read', after: {}, newState: { external: true, id } });

const denies = HALVES.map((deny, index) => removed(`deny${index}`, deny));
const judged = (resources: readonly MadeResource[], wishes: Wishes = {}) =>
  reviewed(resources, { noNewAccess: true, ...wishes });

/** Who may gain access to the first policy or edge of the report. */
function gain(...resources: readonly MadeResource[]): 'sure' | 'possible' | 'none' {
  const access = judged(resources).accesses.find(({ subject }) => /^(ipp|edgtcp)_1$/.test(subject));
  if (access?.of !== 'addresses' || isEmptyCidrSet(access.gained.possibly)) return 'none';
  return isEmptyCidrSet(access.gained.surely) ? 'possible' : 'sure';
}

test.each<[string, 'sure' | 'possible' | 'none', readonly MadeResource[]]>([
  [
    'nothing else changes',
    'none',
    [lookUp(EVERYBODY), ...HALVES.map((deny, index) => kept(`deny${index}`, deny))],
  ],
  ['the denies beside it leave', 'possible', [lookUp(EVERYBODY), ...denies]],
  ['it leaves the program with the denies', 'possible', [lookUp(EVERYBODY, { op: 'discard' }), ...denies]],
  [
    'it gives its name to a resource',
    'possible',
    [{ ...lookUp(EVERYBODY, { op: 'replace' }), after: HALVES[0] }, ...denies],
  ],
  ['it hides what it is', 'possible', [lookUp({ ...EVERYBODY, cidr: '[secret]' }), ...denies]],
  ['it is of another policy', 'none', [lookUp(rule('0.0.0.0/0', 'allow', 'ipp_2')), ...denies]],
  ['it is new, and nothing else changes', 'none', [newLookUp(), kept('deny', HALVES[0])]],
  ['it is new, and the denies leave', 'possible', [newLookUp(), ...denies]],
  ['it is new, of an unknown id, and the denies leave', 'possible', [newLookUp(UNKNOWN), ...denies]],
  ['it is of a rule of the stack', 'none', [newLookUp('id-all'), kept('all', HALVES[0]), ...denies.slice(1)]],
  ['it may deny, an allow comes', 'possible', [lookUp(rule('0.0.0.0/0', 'deny')), added('all', EVERYBODY)]],
  ['a set of another policy is new', 'none', [newLookUp('ipp_2', 'IpPolicyRuleSet'), ...denies]],
  ['a set of the policy is new', 'possible', [newLookUp('ipp_1', 'IpPolicyRuleSet'), ...denies]],
])('%s: a gain of access is %s', (_, expected, resources) => {
  expect(gain(...resources)).toBe(expected);
});

test('that everybody may get in is critical, with the doubt', () => {
  expect(told(judged([lookUp(EVERYBODY), ...denies]))).toContainEqual(
    expect.stringMatching(/^critical access-may-change: .* depends on what it is by now/),
  );
});

test('a looked-up traffic policy may be gone, and is as it was on both sides', () => {
  const all = edgeInputs(denyIf(within('0.0.0.0/0')));
  const of = (outputs: object) => lookUp(outputs, { id: 'edgtcp_1', type: 'TcpEdgeTrafficPolicyModule' });
  expect(gain(of(all))).toBe('none');
  expect(gain(of(all), tcp('own', { before: all }))).toBe('possible');
});

test('the state proves the content of a look-up', () => {
  const [shown] = previewOf(lookUp(EVERYBODY)).steps;
  const idsWith = (outputs: object) => {
    const state = stateOf({ ...shown?.old, urn: shown?.urn.text, external: true, outputs });
    return newIds(judged([lookUp(EVERYBODY)], { state }));
  };
  expect(idsWith(EVERYBODY)).toEqual([]);
  expect(idsWith(rule('10.0.0.0/8'))).toEqual(['preview-incomplete']);
});
