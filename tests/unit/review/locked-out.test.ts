import { plain } from '../../../review/src/text/escape';
import { added, kept, removed, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, rule, SECRET } from './inputs';
import { reviewed } from './reviewing';

const found = (mustAllow: readonly string[], ...resources: MadeResource[]): string[] =>
  reviewed(resources, { mustAllow, failOn: 'never' })
    .findings.filter(({ id }) => id === 'locked-out')
    .map(({ severity, reason, where }) => `${severity} ${where.origin?.name ?? ''}: ${plain(reason)}`);

const office = kept('office', rule('9.9.9.0/24'));

test('a deny that comes, with the rule; whichever policy it is', () => {
  expect(found(['9.9.9.9'], office, added('incident', rule('9.9.9.0/28', 'deny')))).toEqual([
    'critical incident: "9.9.9.9/32" (1 address) must get in, but would be locked out of "ipp_1": "9.9.9.9/32" is kept out by ' +
      'the deny rule "9.9.9.0/28" of "incident".',
  ]);
  const other = removed('other', rule('9.9.9.9/32', 'allow', 'ipp_2'));
  expect(found(['9.9.9.9'], office, other)).toHaveLength(1);
});

test('a part of a network is enough, and others are not', () => {
  const incident = added('incident', rule('9.9.9.128/25', 'deny'));
  const [half] = found(['9.9.9.0/24'], office, incident);
  expect(half).toContain('"9.9.9.128/25" (128 addresses) must get in');
  expect(found(['9.9.9.9'], office, incident)).toEqual([]);
});

test('what cannot be decided may lock out', () => {
  expect(found(['9.9.9.9'], office, added('hidden', rule(SECRET, 'deny')))).toEqual([
    'high : "9.9.9.9/32" (1 address) must get in, but may be locked out of "ipp_1": the "cidr" of "hidden" is secret.',
  ]);
});

test('who did not get in before is not locked out by the change', () => {
  expect(found(['8.8.8.8'], office, added('incident', rule('8.8.8.8/32', 'deny')))).toEqual([]);
});

test('through a TCP edge', () => {
  const document = (...denied: string[]) =>
    edgeInputs(...denied.map((address) => denyIf(`conn.client_ip == '${address}'`)));
  const change: MadeResource = tcp('tcp', {
    before: document('1.1.1.1'),
    after: document('1.1.1.1', '9.9.9.9'),
  });
  expect(found(['9.9.9.9'], change)).toEqual([
    'critical : "9.9.9.9/32" (1 address) must get in, but would be locked out of "edgtcp_1".',
  ]);
  expect(found(['1.1.1.1'], change)).toEqual([]);
});
