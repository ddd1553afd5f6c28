import fc from 'fast-check';
import { mask } from '../../../provider/src/api/redact';
import { MarkedValues } from '../../../provider/src/hosts/marked-values';
import { tcpEdgeTrafficPolicyModuleFields } from '../../../provider/src/resources/tcp-edge-traffic-policy-module';
import { policyLines } from '../../../provider/src/values/policy-text';

const secret = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(' ', '\n', 'a', 'b', '"', '&', 'É', '/'), minLength: 8, maxLength: 30 }),
);
const form = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
);

test('no message tells eight characters of a marked value, in whatever form and with whatever around it', () => {
  fc.assert(
    fc.property(secret, form, fc.string(), fc.string(), (value, write, before, after) => {
      const marked = new MarkedValues();
      marked.note(value);
      const shown = marked.conceal(`of the rule ${before}${write(value)}${after}`);
      for (let at = 0; at + 8 <= value.length; at += 1) {
        const piece = write(value.slice(at, at + 8));
        if (value.trim() !== '' && !`of the rule ${before}${after}`.includes(piece))
          expect(shown).not.toContain(piece);
      }
    }),
    { numRuns: 1000 },
  );
});

test('what tells of a marked value is masked, and nothing else of the message', () => {
  const marked = new MarkedValues();
  for (const value of ['vault-7', 'of the vault', 'two\nlines', '10.77.0.0/16']) marked.note(value);
  expect(marked.conceal('Rule "vault-7"\nis in 10.77.1.2.')).toBe('Rule "***"\nis in ***.');
  expect(marked.conceal('the rule of the vault is bad\nof the day')).toBe('the rule *** is bad\nof the day');
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
  const update = marked.whileUnsaid(fields, { olds, news: { ...olds, value: policy('deny-b') } }, () =>
    Promise.resolve(shown()),
  );
  expect(await update).toBe('rule "deny-b" of edgtcp_1 has expressions like ***');
  const read = marked.whileUnsaid(fields, { olds }, () => Promise.resolve(shown()));
  expect(await read).toBe('rule *** of edgtcp_1 has *** like ***');
  expect(shown()).toBe(said);
});
