import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { open, pageOfPreview, pageOfStack, writePage } from '../support/access-page';
import { resource, secretOf } from '../support/state-resource';
import { folderOf } from '../support/folder';
import { CommandLine, stackHolding } from '../support/command-line';
import { otherPolicyId, policyId } from '../support/ids';
import { CHANGE, SITE } from '../support/page-samples';
import { startService } from '../support/service-stack';

const search = async (page: Page, text: string): Promise<Locator> => {
  await page.getByLabel('Address or network').fill(text);
  return page.locator('.answer');
};

const policy = (page: Page, name: string): Locator => page.locator('details.subject', { hasText: name });

/** Opens the picture of IPv4 at a policy or an edge, and returns its grids. */
async function pictureOf(page: Page, name: string): Promise<Locator> {
  await policy(page, name).getByRole('button', { name: '0.0.0.0/0', exact: true }).click();
  return policy(page, name).locator('.grid');
}

/** What a network of a grid shows, and how it is read out. */
const cellAt = async (grid: Locator, index: number): Promise<(string | null)[]> => {
  const cell = grid.locator('.cell').nth(index);
  return [await cell.innerText(), await cell.getAttribute('aria-label')];
};

test('search: an address, with the deciding rule, its reason and its line', async () => {
  const { page, incidents } = await open(await pageOfStack(SITE));
  const answers = await search(page, ' 203.0.113.7 ');
  await expect(answers.allInnerTexts()).resolves.toEqual([
    expect.stringMatching(
      /office.*● In\n203\.0\.113\.7\/32 is let in by the allow rule 203\.0\.113\.0\/24 of office index\.ts:4\nReason\nOffice/s,
    ),
    expect.stringMatching(/partners.*○ Out\n203\.0\.113\.7\/32 is kept out because no rule lets it in/s),
    expect.stringMatching(/database.*● In\nno rule of database refuses 203\.0\.113\.7\/32 index\.ts:30/s),
  ]);
  expect(await page.locator('.answers .summary').innerText()).toMatch(
    /^203\.0\.113\.7\/32, when this page was made \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\): in at 2, out at 1$/,
  );
  expect(incidents).toEqual([]);
});

test('search: of a network the parts that get in; of a text that is none, what is wrong with it', async () => {
  const { page } = await open(await pageOfStack(SITE));
  const office = (await search(page, '203.0.113.0/25')).filter({ hasText: 'office' });
  expect(await office.innerText()).toContain('◐ Partly');
  expect(await office.locator('.parts code').allInnerTexts()).toEqual(['203.0.113.0/26']);
  await search(page, '203.0.113.300');
  expect(await page.locator('.answers').innerText()).toMatch(/203\.0\.113\.300/);
});

test('search: on a day, when rules have ended', async () => {
  const { page } = await open(await pageOfStack(SITE));
  const partners = (await search(page, '198.51.100.1')).filter({ hasText: 'partners' });
  expect(await partners.innerText()).toMatch(/● In\n[^○]*$/);
  await page.getByLabel('On (default: when this page was made)').fill('3000-01-01');
  expect(await partners.innerText()).toMatch(/○ Out when made: ● In/);
  expect(await page.locator('.answers .summary').innerText()).toMatch(
    /, when 3000-01-01 begins in UTC: in at 1, out at 2; when this page was made \(.* UTC\): in at 2, out at 1$/,
  );
});

test('access logs: how many clients get in by each policy, and why the others do not', async () => {
  const lines = ['203.0.113.7', ...Array<string>(1200).fill('192.0.2.9')].join('\n');
  const log = path.join(folderOf({ 'access.log': lines }), 'access.log');
  const { page, incidents } = await open(await pageOfStack(SITE, '--traffic', `policy:${policyId}=${log}`));
  const clients = policy(page, 'office').locator('.clients');
  expect(await clients.locator('li').allInnerTexts()).toEqual([
    '1 client let in (1 request)',
    '1 client kept out (1,200 requests)',
    '0 clients not decided (0 requests)',
  ]);
  expect(await clients.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/^192\.0\.2\.9\/32\s+1,200\s.*is kept out because no rule lets it in$/s),
  ]);
  expect(await policy(page, 'partners').locator('.clients').count()).toBe(0);
  expect(incidents).toEqual([]);
});

test('what is secret is not decided, and never shown as in or out', async () => {
  const hidden = { ipPolicyId: policyId, cidr: secretOf('198.51.100.7/32'), action: 'deny' };
  const { page } = await open(await pageOfStack([...SITE, resource('IpPolicyRule', 'hidden', hidden)]));
  const office = (await search(page, '203.0.113.7')).filter({ hasText: 'office' });
  expect(await office.innerText()).toContain('? Not decided\nthe cidr of hidden is secret');
  expect(await page.locator('.questions').innerText()).toContain('the cidr of hidden is secret');
  const grid = await pictureOf(page, 'office');
  expect(await cellAt(grid, 203)).toEqual(['?', '203.0.0.0/8: not decided']);
  expect(await cellAt(grid, 10)).toEqual(['○', '10.0.0.0/8: out']);
});

test('a policy: how many get in, the rules that end first, and every filter', async () => {
  const { page } = await open(await pageOfStack(SITE));
  const partners = policy(page, 'partners');
  expect(await partners.locator('summary').innerText()).toMatch(/257 IPv4 addresses2\^80 IPv6 addresses/);
  const listed = partners.locator('tbody th');
  expect(await listed.allInnerTexts()).toEqual([
    ...['203.0.113.9/32', '198.51.100.0/25', '198.51.100.64/28', '198.51.100.128/25', '2001:db8::/48'],
  ]);
  const shown = async (kind: string): Promise<string[]> => {
    await partners.getByLabel('Show').selectOption({ label: kind });
    return listed.allInnerTexts();
  };
  expect(await shown('Reason missing (1)')).toEqual(['203.0.113.9/32']);
  expect(await shown('Ended (1)')).toEqual(['203.0.113.9/32']);
  expect(await shown('Ends (2)')).toEqual(['203.0.113.9/32', '198.51.100.0/25']);
  expect(await shown('Without effect (1)')).toEqual(['198.51.100.64/28']);
  expect(await shown('From a feed (1)')).toEqual(['198.51.100.128/25']);
  await shown('All rules (5)');
  await partners.getByLabel('Find').fill('acc-1');
  expect(await listed.allInnerTexts()).toEqual(['198.51.100.0/25']);
  expect(await page.locator('.for-print').innerText()).toContain('leaves out rules that no program declares');
  const evidence = page.locator('.evidence');
  await evidence.getByLabel('Find').fill('payments');
  expect(await evidence.locator('tbody th').allInnerTexts()).toEqual(['198.51.100.0/25', '198.51.100.64/28']);
  await evidence.getByLabel('Find').fill('');
  await evidence.getByLabel('Show').selectOption('Ends');
  expect(await evidence.locator('tbody th').allInnerTexts()).toEqual(['203.0.113.9/32', '198.51.100.0/25']);
});

test('the picture leads into a /24 and back out, by keys alone', async () => {
  const { page, incidents } = await open(await pageOfStack(SITE));
  const office = policy(page, 'office');
  await office.getByRole('button', { name: '0.0.0.0/0', exact: true }).focus();
  // Each time, the first network that holds several verdicts has the focus.
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Enter');
  const cell = (name: string): Locator => office.getByRole('button', { name, exact: true });
  expect(await cell('203.0.113.63/32: in').count()).toBe(1);
  expect(await cell('203.0.113.64/32: out').count()).toBe(1);
  await cell('203.0.0.0/8').press('Enter');
  expect(await cell('203.0.0.0/16: partly').count()).toBe(1);
  expect(await office.locator('.cell:enabled').count()).toBe(1);
  expect(incidents).toEqual([]);
});

test('everything can be reached and used by keys alone', async () => {
  const { page } = await open(await pageOfStack(SITE));
  // The search has the focus at once.
  await page.keyboard.type('203.0.113.70');
  expect(await page.locator('.answers .summary').innerText()).toContain('203.0.113.70/32');
  const reached = new Set<string>();
  for (let steps = 0; steps < 80; steps += 1) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate<string>(
        'document.activeElement.tagName + " " + (document.activeElement.labels?.[0]?.textContent ?? document.activeElement.getAttribute("aria-label") ?? "")',
      ),
    );
  }
  expect([...reached]).toEqual(
    expect.arrayContaining([
      'INPUT On (default: when this page was made)',
      'SELECT Show',
      'INPUT Try a user agent',
      'DIV Evidence',
      'SUMMARY ',
    ]),
  );
  const summary = policy(page, 'office').locator('summary');
  await summary.focus();
  await page.keyboard.press('Enter');
  expect(await policy(page, 'office').getAttribute('open')).toBeNull();
});

test('a route: an agent is tried, also one without the header', async () => {
  const { page } = await open(await pageOfStack(SITE));
  const crawlers = policy(page, 'crawlers');
  await crawlers.getByLabel('Try a user agent').fill('Googlebot/2.1');
  expect(await crawlers.locator('.verdict').innerText()).toContain(
    '○ Out\nthe deny pattern (?i)bot of crawlers decides',
  );
  await crawlers.getByLabel('Try a user agent').fill('Firefox');
  expect(await crawlers.locator('.verdict').innerText()).toContain('● In');
  await crawlers.getByLabel('Sends no such header').check();
  expect(await crawlers.locator('.verdict').innerText()).toContain('○ Out');
});

test('a preview: before and after side by side, with what is gained and lost', async () => {
  const { page, incidents } = await open(await pageOfPreview(CHANGE));
  const answers = (await search(page, '192.0.2.9')).filter({ hasText: 'office' });
  expect(await answers.innerText()).toMatch(/Before○ Out.*After● In/s);
  const changes = await page.locator('.changes').innerText();
  expect(changes).toMatch(/office, demo.*\+gained every IPv4 address but 256/s);
  expect(changes).toMatch(/partners.*−lost 128 IPv4 addresses/s);
  expect(changes).toMatch(/crawlers.*\+gained user agents such as/s);
  expect(changes).toMatch(/database.*\?perhaps lost/s);
  expect(changes).toContain('Not decided: rule countries of database has conditions');
  const [before, after] = await (await pictureOf(page, 'office')).all();
  expect(await (after ?? page.locator('.none')).getAttribute('aria-label')).toBe('After 0.0.0.0/0');
  if (after) expect(await cellAt(after, 192)).toEqual(['+', '192.0.0.0/8: in, gained']);
  if (before) expect(await cellAt(before, 203)).toEqual(['◐', '203.0.0.0/8: partly']);
  const lost = (await pictureOf(page, 'partners')).first();
  expect(await cellAt(lost, 198)).toEqual(['−', '198.0.0.0/8: partly, lost']);
  expect(incidents).toEqual([]);
});

test('a preview that changes nothing says so, as it is proved', async () => {
  const unchanged = CHANGE.replace(/\{"op":"create".*?(?=\{"op":"update")/, '').replace(
    /,\{"op":"update".*\]/,
    ']',
  );
  const { page } = await open(await pageOfPreview(unchanged));
  expect(await page.locator('.changes').innerText()).toContain('Nobody’s access changes: proved');
});

test('live: the drift from the state, and rules made by hand', async () => {
  const { emulator, apiKey } = await startService();
  const byHand = {
    cidr: '0.0.0.0/0',
    ip_policy_id: policyId,
    action: 'allow',
    description: 'by hand',
  } as const;
  emulator.remote.createRule(byHand);
  const [office, guests] = SITE;
  const own = { ip_policy_id: policyId, cidr: '203.0.113.0/24', action: 'allow' } as const;
  const { id } = emulator.remote.createRule(own);
  const line = new CommandLine({ emulator, apiKey }).withPulumi(
    stackHolding([{ ...office, id }, { ...guests }]),
  );
  const { page } = await open(await writePage(line, '--live'));
  expect(await page.locator('.changes').innerText()).toMatch(/^Drift.*\+gained every IPv4 address but/s);
  expect(await page.locator('.for-print').innerText()).not.toContain('leaves out rules');
  await page.locator('.evidence').getByLabel('Show').selectOption('By hand');
  expect(await page.locator('.evidence tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/0\.0\.0\.0\/0\s+allow\s+by hand.*by hand/s),
  ]);
});

test('print: all rows of the evidence on A4, with room for decisions, and nothing to click', async () => {
  const rules = Array.from({ length: 300 }, (_, at) => `10.0.${at >> 8}.${at & 255}/32: allow 'Host ${at}'`);
  const set = { ipPolicyId: otherPolicyId, rules: `@rules\n${rules.join('\n')}\n` };
  // As wide as A4 without its margins.
  const viewport = { width: Math.floor((297 - 24) * MM), height: 700 };
  const file = await pageOfStack([...SITE, resource('IpPolicyRuleSet', 'many', set)]);
  const { page } = await open(file, { viewport });
  expect(await page.locator('.evidence tbody tr:visible').count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate('dispatchEvent(new Event("beforeprint"))');
  expect(await page.locator('.evidence tbody tr:visible').count()).toBe(307);
  expect(await page.locator('input:visible, select:visible, button:visible').count()).toBe(0);
  const decision = page.locator('.evidence tbody tr').first().locator('td').last();
  expect(await decision.innerText()).toBe('');
  const box = await decision.boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(28 * MM);
  expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width);
  // A header of this kind is on every sheet.
  expect(
    await page.evaluate<string>('getComputedStyle(document.querySelector(".evidence thead")).display'),
  ).toBe('table-header-group');
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  // A4 in points, landscape.
  expect(/\/MediaBox \[0 0 (\d+)[.\d]* (\d+)/.exec(pdf)?.slice(1).map(Number)).toEqual([
    expect.closeTo(842, -0.5),
    expect.closeTo(595, -0.5),
  ]);
});

/** Pixels of CSS in a millimetre. */
const MM = 96 / 25.4;

test('dark: other colours, and the same texts', async () => {
  const file = await pageOfStack(SITE);
  const [light, dark] = [
    await open(file, { colorScheme: 'light' }),
    await open(file, { colorScheme: 'dark' }),
  ];
  const shown = async ({ page }: typeof light) => ({
    paper: await page.evaluate<string>('getComputedStyle(document.body).backgroundColor'),
    text: await page.locator('body').innerText(),
  });
  const [inLight, inDark] = [await shown(light), await shown(dark)];
  expect(inLight.paper).toBe('rgb(255, 255, 255)');
  expect(inDark.paper).not.toBe(inLight.paper);
  expect(inDark.text).toBe(inLight.text);
});
