import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from '../support/at-time';
import { commandsOf, installedModules, runLine } from '../support/documentation';
import { otherPolicyId, policyId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import { stackOnService } from '../support/service-stack';

const blocks = codeBlocks(path.join('docs', 'grants.md'));
const textOf = (language: string, index = 0): string =>
  blocks.filter((block) => block.language === language)[index]?.text ?? '';

test.each(['dynamic', 'native'] as const)(
  'docs/grants.md with the host %s: from the message to the end of the access, as it is written',
  async (host) => {
    const ts = textOf('ts').replace('ipp_…', policyId).replace('ipp_…', otherPolicyId);
    const { stack, emulator } = await stackOnService({
      program: { ts },
      host,
      nodeModules: installedModules(),
    });
    const file = (name: string) => path.join(stack.folder.project, name);
    writeFileSync(file('offices.json'), textOf('json', 0));
    writeFileSync(file('exceptions.json'), textOf('json', 1));
    for (const line of ['git init -q', 'git config user.name Ada', 'git config user.email ada@example.com'])
      await runLine(stack, line);
    await stack.up();
    await stack.call(['stack', 'select']);
    const rules = (ipPolicyId = policyId) =>
      Object.values(emulator.state().rules)
        .filter(({ ip_policy: own }) => own.id === ipPolicyId)
        .map(({ cidr, description, metadata }) => [cidr, description, metadata].filter(Boolean).join(' '))
        .sort();
    const offices = ['2001:db8:40::/48 Lisbon', '203.0.113.0/24 Amsterdam'];
    expect(rules()).toEqual(offices);

    const said = new Map<string, string>();
    const lines = commandsOf('grants.md');
    for (const line of lines) {
      said.set(line, (await runLine(stack, line)).output);
      if (line !== 'pulumi up --yes') {
        expect(rules()).toEqual(offices);
        continue;
      }
      expect(rules()).toEqual([
        '198.51.100.7/32 vendor on call {"owner":"Ada <ada@example.com>"}',
        ...offices,
      ]);
      expect(JSON.stringify(emulator.journal)).not.toContain('exceptions');
      // The shop is in two files, the admin pages in one.
      expect(rules(otherPolicyId)).toEqual(offices);
      await stack.expectEmptyPreview();
      const later = at(stack, new Date(Date.now() + 5 * 3_600_000).toISOString());
      await stack.up(later);
      expect(rules()).toEqual(offices);
      await stack.expectEmptyPreview(later);
    }
    const reviewOfPage = lines.find((line) => line.endsWith('review -')) ?? '';
    expect(said.get(reviewOfPage)).toMatch(/`exceptions`: 1 network more.*198\.51\.100\.7\/32/);
    expect(readFileSync(file('pull-request.md'), 'utf8')).toMatch(
      /^Let 198\.51\.100\.7\/32 in until .*: vendor on call\n/,
    );
    expect(said.get('npx --no-install pulumi-edge-policy-cli grants')).toMatch(
      /^198\.51\.100\.7\/32 +exceptions +(?:4 h|3 h) /m,
    );

    // A list that two policies share changes both, and the review says it once.
    writeFileSync(
      file('offices.json'),
      textOf('json').replace('"action"', '"192.0.2.0/24": { "reason": "Porto" },\n    "action"'),
    );
    const reviewed = await runLine(
      stack,
      'pulumi preview --json --show-sames | npx --no-install pulumi-edge-policy-cli review - --format text',
    );
    expect(
      reviewed.stdout.match(
        /"offices": 1 network more, in 2 policies\. .*192\.0\.2\.0.* can get in .* · "\w+" and "\w+"$/gm,
      ),
    ).toHaveLength(1);
  },
);
