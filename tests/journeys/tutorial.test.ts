import path from 'node:path';
import { emptyProjectOnService, runLine } from '../support/documentation';
import { policyId } from '../support/ids';
import { codeBlocks } from '../support/pages';
import { liveCidrs } from '../support/service-stack';

const blocks = codeBlocks(path.join('docs', 'tutorial.md'));

test('docs/tutorial.md: its commands work as they are written, and print what it shows', async () => {
  const { stack, emulator } = await emptyProjectOnService();
  const rules = ['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16'].map((cidr) => ({
    ...{ cidr, action: 'allow' as const, ip_policy_id: policyId },
  }));
  emulator.seed({ rules });

  let printed = '';
  for (const { language, text } of blocks) {
    if (language === 'sh') printed = (await runLine(stack, text)).output;
    else if (language === 'text') expect(printed).toContain(text.trim());
  }
  expect(liveCidrs(emulator)).toEqual(rules.map(({ cidr }) => cidr));
});
