import { readLine } from '../../provider/src/rule-set/rule-line';
import { otherPolicyId, policyId } from '../support/ids';
import { changesOf, linesOf } from '../support/preview-lines';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';

/** Sets of rules with these descriptions, and rules of their own. */
const declared = (descriptions: readonly (readonly string[])[], ...ofRules: string[]) =>
  program(`
    ${literal(descriptions)}.forEach((texts, index) => new IpPolicyRuleSet('set-' + index, {
      ipPolicyId: '${policyId}',
      rules: texts.map((description, rule) => ({ cidr: \`10.\${index}.\${rule}.0/24\`, action: 'allow', description })),
    }));
    ${literal(ofRules)}.forEach((description, index) => new IpPolicyRule('rule-' + index, {
      ipPolicyId: '${otherPolicyId}', action: 'allow', cidr: \`10.\${index}.0.0/16\`, description,
    }));
    return {};
  `);

// prettier-ignore
const nasty = [
  'site: a', 'a: b: c', 'a #b', '# a', '- a', '"a"', "'a'", '"', "'", '\\', '{"a":1}', '[1]', '{', '}', '[', '&a', '*a', '!a',
  '|', '>', '%YAML 1.2', '@a', '`a`', '---', '...', '? a', ': a', '\na: b', 'a\n- b', '\t', '\u2028', '\u0085a: b',
  '\u001b[2J', '<{%reset%}>', '<{%nonsense%}>', '\u202ea', '~', 'null', '1e3', 'ü: 💡',
];

test('a new set is shown in full, an edit by its own line, and no description makes the CLI read or do anything else; control characters of a rule are shown as escapes', async () => {
  const before = [
    ...nasty.map((text) => [text, text]),
    ['one'],
    [],
    ['first'],
    ...nasty.map((text) => [text]),
  ];
  const after = [
    ...nasty.map((text) => [`${text}.`, text]),
    [],
    ['one'],
    ['first', 'last'],
    ...nasty.map((text) => [`x${text}`]),
  ];
  const { stack, emulator } = await stackOnService({ program: declared(before, 'office\r') });
  const created = (await stack.preview({ args: ['--diff'] })).stdout;
  for (const index of nasty.keys())
    expect(linesOf(created, `set-${index}`).slice(2, 6)).toEqual([
      expect.stringMatching(/^ *rules +: \(yaml\) \{$/),
      expect.stringMatching(new RegExp(`^ +10\\.${index}\\.0\\.0/24: "allow '.+'"$`)),
      expect.stringMatching(new RegExp(`^ +10\\.${index}\\.1\\.0/24: "allow '.+'"$`)),
      expect.stringMatching(/^ *\}$/),
    ]);
  await stack.up();
  expect(emulator.state().rules.map(({ description }) => description)).toContain('office\r');
  stack.writeProgram(declared(after, 'site\u001b[2J\u009b\u202e', 'office\r'));
  const { stdout, changes } = await stack.preview({ args: ['--diff'] });
  expect(changes).toEqual({ update: before.length + 1, create: 1 });
  const [none, one, more] = [nasty.length, nasty.length + 1, nasty.length + 2];
  for (const index of before.keys()) {
    const [title, ...changed] = changesOf(stdout, `set-${index}`);
    expect(title).toMatch(/^~ rules *:$/);
    if (index === none) expect(changed).toEqual([`- 10.${none}.0.0/24: allow 'one'`]);
    else if (index === one) expect(changed).toEqual([`+ 10.${one}.0.0/24: allow 'one'`]);
    else if (index === more) expect(changed).toEqual([`+ 10.${more}.1.0/24: allow 'last'`]);
    else {
      // The first edit of a set that was shown in full.
      expect(changed.includes('+ @rules')).toBe(index < nasty.length);
      const edited = changed.filter((line) => line !== '+ @rules');
      expect(edited.map((line) => [line[0], readLine(line.slice(2))?.description])).toEqual([
        ['-', before[index]?.[0]],
        ['+', after[index]?.[0]],
      ]);
    }
  }
  expect(changesOf(stdout, 'rule-0').at(-1)).toContain(String.raw`"office\r" => "site\x1b[2J\u009b\u202e"`);
  expect(linesOf(stdout, 'rule-1').join('\n')).toContain(String.raw`description: "office\r"`);
});
