import { readFileSync } from 'node:fs';
import { open, pageOfStack } from '../support/access-page';
import { resource } from '../support/state-resource';
import { policyId } from '../support/ids';
import { filter, trafficPolicy } from '../support/page-samples';

const MARKUP = '<img src=https://example.com/x onerror=alert(1)></script><script>alert(2)</script>';
const LINK = 'https://example.com/?a=1 [x](javascript:alert(3))';
const TURNED = 'left\u202eright\u0000\u2028';
const LONG = 'x'.repeat(10_000);

const texts = [MARKUP, LINK, TURNED, LONG, '=HYPERLINK("https://example.com")', '@SUM(1)'];

const hostile = [
  ...texts.map((text, at) =>
    resource('IpPolicyRule', text, {
      ...{ ipPolicyId: policyId, cidr: `10.0.0.${at}/32`, action: 'allow', description: text },
      metadata: JSON.stringify({ owner: text, ticket: text }),
    }),
  ),
  resource(
    'TcpEdgeTrafficPolicyModule',
    MARKUP,
    trafficPolicy({ name: MARKUP, expressions: [MARKUP], actions: [{ type: MARKUP }] }),
  ),
  resource('HttpsEdgeRouteUserAgentFilterModule', TURNED, filter(MARKUP, TURNED)),
];

test('what others wrote is text: no element, no link, no direction, no request, and it is cut', async () => {
  const { page, incidents } = await open(await pageOfStack(hostile));
  await page.getByLabel('Address or network').fill('10.0.0.0/24');
  await page.locator('.evidence').getByLabel('Find').fill('a');
  const counted =
    'document.querySelectorAll("img, a, iframe, object, embed, link, form, svg, body script:not([id]) ~ script").length';
  expect(await page.evaluate<number>(counted)).toBe(0);
  const text = await page.locator('body').innerText();
  expect(text).toContain(MARKUP);
  expect(text).toContain('left\\u{202e}right\\u{0}\\u{2028}');
  expect(text).not.toMatch(/[\u202e\u2028]/);
  expect(text).not.toContain('x'.repeat(301));
  expect(await page.title()).not.toContain('<');
  expect(incidents).toEqual([]);
});

test('the document itself allows no request, and no script but its own', async () => {
  const { page, file, incidents } = await open(await pageOfStack(hostile));
  const html = readFileSync(file, 'utf8');
  expect(html).toMatch(
    /content="default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; img-src data:;/,
  );
  expect(html.match(/<script/g)).toHaveLength(
    2 + (html.split('<script>')[1]?.match(/<script/g)?.length ?? 0),
  );
  await page.evaluate('fetch("https://example.com/").catch(() => 0)');
  await page.evaluate(
    'document.body.append(Object.assign(document.createElement("script"), { textContent: "alert(4)" }))',
  );
  expect(incidents.filter((each) => !each.startsWith('console: '))).toEqual([]);
  expect(incidents.join('\n')).toMatch(/Content Security Policy/);
});
