import { renderJson } from '../../../review/src';
import { added, kept, type MadeResource, removed, ruleSet } from './preview-builder';
import { rule, setInputs } from './inputs';
import { reviewed, textOf, told } from './reviewing';

const widened = (...resources: MadeResource[]): string[] => told(reviewed(resources), 'access-widened');

test('of equally bad gains the largest comes first, however many policies there are', () => {
  const small = Array.from({ length: 30 }, (_, index) =>
    added(`a${index}`, rule(`9.9.9.${index}/32`, 'allow', `ipp_a${index}`)),
  );
  const [first = ''] = widened(...small, added('z', rule('8.8.0.0/17', 'allow', 'ipp_z')));
  expect(first).toContain('8.8.0.0/17');
});

test('of equally bad losses, too, and of gains that are refused', () => {
  const sets = ['7.7.7.7/32', '7.0.0.0/9'].map((network, index) => {
    const inputs = (...lines: string[]) => ({
      ...setInputs(['1.0.0.0/8: allow', ...lines]),
      ipPolicyId: `ipp_${index}`,
    });
    return { less: inputs(), more: inputs(`${network}: allow`), name: `set${index}` };
  });
  const lost = sets.map(({ name, less, more }) => ruleSet(name, { before: more, after: less }));
  expect(told(reviewed(lost))[0]).toContain('7.0.0.0/9');
  const gained = sets.map(({ name, less, more }) => ruleSet(name, { before: less, after: more }));
  const refused = reviewed(gained, { noNewAccess: true }).findings.filter(({ id }) => id === 'new-access');
  expect(refused.map(({ where }) => where.subject)).toEqual(['ipp_1', 'ipp_0']);
});

test('who loses and who gets in is said by what is left out, too, in rounded numbers that JSON has exactly', () => {
  const deny = kept('one', rule('8.8.8.8/32', 'deny'));
  const [all, some] = [rule('0.0.0.0/0'), kept('some', rule('9.9.9.0/24'))];
  expect(widened(deny, some, added('all', all))).toEqual([
    'high access-widened: Nearly everyone, all of IPv4 except "9.9.9.0/24" and "8.8.8.8/32" (about 4.29 billion addresses), can get in and could not before.',
  ]);
  const lost = reviewed([deny, some, removed('all', all)]);
  const text = textOf(lost);
  expect(text).toContain(
    'Nearly everyone, all of IPv4 except "9.9.9.0/24" and "8.8.8.8/32" (about 4.29 billion',
  );
  expect(text).toContain('"ipp_1", lost: all of IPv4 except');
  expect(text).toMatch(/all but 1 address +256 addresses +none +all but 257 addresses/);
  expect(renderJson(lost)).toContain('"sizeBefore": "4294967295"');
});

test('a policy is named after the resource that the change is about', () => {
  const cdn = kept('cdn', rule('9.9.9.0/24'));
  const report = reviewed([cdn, removed('old', rule('0.0.0.0/0'))]);
  expect(textOf(report)).not.toContain('the policy of "cdn"');
  const gone = reviewed([cdn, removed('last', rule('9.9.0.0/16')), kept('ban', rule('9.9.9.0/24', 'deny'))]);
  expect(textOf(gone)).toContain('the policy of "last" and 2 more resources ("ipp_1")');
});

test('the rule of a finding is named by its description, or by its line of a set', () => {
  const report = reviewed([
    added('office', { ...rule('9.9.9.9/32'), description: 'Jan' }),
    added('hidden', { ...rule('9.9.7.9/32', 'allow', 'ipp_3'), description: '[secret]' }),
    ruleSet('sites', { after: { ...setInputs(["8.8.8.0/24: allow 'Site A'"]), ipPolicyId: 'ipp_2' } }),
  ]);
  const text = textOf(report);
  expect(text).toContain('· "office" ("Jan")');
  expect(text).toContain(`· "sites" ("8.8.8.0/24: allow 'Site A'")`);
  expect(text).not.toContain('secret');
});

test('of both families, what is left out comes last', () => {
  const found = told(reviewed([kept('one', rule('9.9.9.0/24', 'deny')), added('hidden', rule('[secret]'))]));
  expect(found.join()).toContain('at most "::/0" and all of IPv4 except "9.9.9.0/24" (');
});

test('a few networks are named as they are', () => {
  expect(widened(added('all', rule('0.0.0.0/0')))[0]).toMatch(/: In IPv4, "0.0.0.0\/0" \(/);
});

test('a change that a strict mode stops is said to be stopped', () => {
  const report = reviewed([added('new', rule('9.9.9.9/32'))], { failOn: 'never', noNewAccess: true });
  expect(textOf(report)).toContain('The gate stops this change, whatever its threshold: ');
});
