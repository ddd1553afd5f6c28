import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runLine } from '../support/documentation';
import { policyId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import { literal, program } from '../support/programs';
import { PulumiStack } from '../support/pulumi-stack';

/** The programs of the page by the file name in their first line. */
const programs = codeBlocks(path.join('docs', 'test-your-program.md'))
  .filter(({ language }) => language === 'js')
  .map(({ text }) => [/^\/\/ (\S+\.m?js),/.exec(text)?.[1] ?? text, text] as const);

test('docs/test-your-program.md: all tests pass as they are written', async () => {
  expect(programs.map(([name]) => name)).toEqual(['offices.test.mjs', 'offices.test.js', 'service.test.mjs']);
  const rule = { cidr: '203.0.113.0/24', action: 'allow', ipPolicyId: policyId };
  const stack = await PulumiStack.create({
    program: program(`new IpPolicyRule('office', ${literal(rule)}); return {};`),
  });
  for (const [name, text] of programs) {
    writeFileSync(path.join(stack.folder.project, name), text);
    const runner = name.endsWith('.mjs') ? 'node --test' : 'npx jest --config {}';
    await runLine(stack, `${runner} ${name}`);
  }
});
