// What fits on a usual screen: tables of rules with everything that a page can hold.
import path from 'node:path';
import { open, writePage } from '../support/access-page';
import { stackHolding } from '../support/command-line';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { Repository } from '../support/repository';
import { resource } from '../support/state-resource';

test('at 1,280 pixels, every column of every table can be read without scrolling', async () => {
  const rule = (cidr: string, line: number, until = '') =>
    `${cidr}: allow 'Branch office of a partner ${line}' metadata '{"owner":"payments-platform","ticket":"ACCESS-1234"}'${until}`;
  const rules = [
    '@rules',
    rule('198.51.100.128/25', 1, ' until 2999-12-31T23:59:59Z'),
    rule('2001:db8:aaaa:bbbb:cccc:dddd:eeee:ff00/120', 2),
    '',
  ].join('\n');
  const repository = new Repository().line.withPulumi(
    stackHolding([
      resource('IpPolicyRuleSet', 'partners-of-the-platform', { ipPolicyId: policyId, rules }, 20),
    ]),
  );
  const log = path.join(
    folderOf({
      'a.log': '198.51.100.200 - - [01/Jun/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "curl/8"\n',
    }),
    'a.log',
  );
  const file = await writePage(repository, '--traffic', `policy:${policyId}=${log}`);
  const { page } = await open(file, { viewport: { width: 1280, height: 800 } });
  const tables = page.locator('.rules .scroll');
  expect(await tables.locator('thead th').allInnerTexts()).toHaveLength(8 + 11);
  const hidden = await tables.evaluateAll((all) =>
    all.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  );
  expect(hidden).toEqual([0, 0]);
});
