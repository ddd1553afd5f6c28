import { mask } from '../../../provider/src/api/redact';
import { MarkedValues } from '../../../provider/src/hosts/marked-values';
import { ipPolicyRuleSetFields } from '../../../provider/src/resources/ip-policy-rule-set';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { policyLines } from '../../../provider/src/values/policy-document';

test('what tells of a marked value is masked, and nothing else of the message', () => {
  const marked = new MarkedValues();
  for (const value of ['vault-7', 'of the vault', 'two\nlines', '10.77.0.0/16', '2001:db8:77::/48'])
    marked.note(value);
  expect(marked.conceal('Rule "vault-7"\nis in 10.77.1.2.')).toBe('Rule "***"\nis in ***.');
  expect(marked.conceal('the rule of the vault is bad\nof the day')).toBe('the rule *** is bad\nof the day');
  expect(marked.conceal('10.77.0.0-10.77.255.255, 2001:DB8:0077:0::/48')).toBe('***-***, ***/48');
  expect(marked.conceal('2001:db8:77:0:0:0:0:0 of 2001:db9::')).toBe('*** of 2001:db9::');
  expect(marked.conceal('said: two\nlines\nnothing done')).toBe('said: ***\nnothing done');
});

const fields = tcpEdgeTrafficPolicyModuleFields;
const policy = (...names: string[]) =>
  policyLines(JSON.stringify({ inbound: names.map((name) => ({ name, expressions: ['true'] })) }));

test('while work with an old state is under way, its texts count as secret, but for what the new inputs hold, too', async () => {
  const marked = new MarkedValues();
  const olds = { edgeId: 'edgtcp_1', enabled: true, value: policy('deny-b', 'hush-hush') };
  const said = 'rule "deny-b" of edgtcp_1 has expressions like "hush-hush"';
  const shown = (): string => mask(said, marked.all());
  const update = marked.whileConcealing(fields, { olds, news: { ...olds, value: policy('deny-b') } }, () =>
    Promise.resolve(shown()),
  );
  expect(await update).toBe('rule "deny-b" of edgtcp_1 has expressions like ***');
  const read = marked.whileConcealing(fields, { olds }, () => Promise.resolve(shown()));
  expect(await read).toBe('rule *** of edgtcp_1 has *** like ***');
  expect(shown()).toBe(said);
});

test('while work with an old state is under way, its networks count as secret, also in sentences of ours', async () => {
  const marked = new MarkedValues();
  const rules = (...networks: string[]) => networks.map((cidr) => ({ cidr, action: 'deny' }));
  const bags = {
    olds: { rules: rules('198.18.77.0/24', '10.0.0.0/8', '192.0.2.0/24', '203.0.113.64/26') },
    news: { rules: rules('10.1.0.0/16', '192.0.2.0/24', '203.0.113.0/24') },
  };
  const said =
    'not 198.18.77.9, 10.0.0.0/8 or 10.9.0.0/16, nor 203.0.113.65, but 10.1.0.0/16 and 192.0.2.0/24';
  const update = marked.whileConcealing(ipPolicyRuleSetFields, bags, () =>
    Promise.resolve([mask(said, marked.all()), marked.conceal(said)]),
  );
  expect(await update).toEqual(
    Array(2).fill('not ***, *** or ***/16, nor ***, but 10.1.0.0/16 and 192.0.2.0/24'),
  );
  expect(marked.conceal(said)).toBe(said);
});
