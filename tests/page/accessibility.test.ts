import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { open, pageOfPreview, pageOfStack } from '../support/access-page';
import { resource, secretOf } from '../support/state-resource';
import { policyId } from '../support/ids';
import { CHANGE, SITE } from '../support/page-samples';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What the checker finds, each with the first place. */
async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const run =
    'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html + " " + nodes[0].failureSummary))';
  return page.evaluate<string[]>(run);
}

const hidden = resource('IpPolicyRule', 'hidden', {
  ipPolicyId: policyId,
  cidr: secretOf('x'),
  action: 'deny',
});

test.each(['light', 'dark'] as const)(
  'no violation is found, %s: a stack, one with secrets, a change, answers',
  async (colorScheme) => {
    for (const file of [
      await pageOfStack(SITE),
      await pageOfStack([...SITE, hidden]),
      await pageOfPreview(CHANGE),
    ]) {
      const { page } = await open(file, { colorScheme });
      expect(await violationsIn(page)).toEqual([]);
      await page.getByLabel('Address or network').fill('203.0.113.0/24');
      await page.getByRole('button', { name: '0.0.0.0/0' }).first().click();
      expect(await violationsIn(page)).toEqual([]);
    }
  },
);

test('a screen reader hears the names of all controls, and of every network of a picture what it shows', async () => {
  const { page } = await open(await pageOfStack(SITE));
  await page.getByRole('button', { name: '0.0.0.0/0' }).first().click();
  const nameless =
    '[...document.querySelectorAll("button, input, select")].filter((each) => !each.getAttribute("aria-label") && !each.labels?.length && !each.textContent.trim()).length';
  expect(await page.evaluate<number>(nameless)).toBe(0);
  const outline = await page.locator('main').ariaSnapshot();
  for (const name of ['searchbox "Address or network"', 'group "0.0.0.0/0"', 'button "203.0.0.0/8: partly"'])
    expect(outline).toContain(name);
});

test('on a phone nothing but tables is wider than the screen', async () => {
  const { page } = await open(await pageOfPreview(CHANGE), { viewport: { width: 360, height: 700 } });
  await page.getByLabel('Address or network').fill('203.0.113.0/24');
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
});
