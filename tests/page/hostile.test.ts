import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { open, pageOfStack, writePage } from '../support/access-page';
import { resource, secretOf } from '../support/state-resource';
import { CommandLine, stackHolding } from '../support/command-line';
import { policyId } from '../support/ids';
import { filter, trafficPolicy } from '../support/page-samples';
import { SecretsScan } from '../support/secrets-scan';
import { startService } from '../support/service-stack';

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

/** Everything in a file, unpacked. */
function contentOf(file: string): string {
  const html = readFileSync(file, 'utf8');
  const data = /id="content">([^<]*)</.exec(html)?.[1] ?? '';
  return html + inflateRawSync(Buffer.from(data, 'base64')).toString();
}

test('secrets never enter the files: of a state, and of the live objects that it keeps secret', async () => {
  const scan = new SecretsScan();
  const [apiKey, owner, word] = [SecretsScan.makeUp('key'), scan.plant('owner'), scan.plant('word')];
  scan.watch('key', apiKey);
  scan.watch('network', '198.51.100.77/32');
  const { emulator } = await startService({ accounts: { [apiKey]: 'default' } });
  const inputs = { ipPolicyId: policyId, action: 'allow' };
  const rule = emulator.remote.createRule({
    ...{ ip_policy_id: policyId, action: 'allow' },
    cidr: '198.51.100.77/32',
    description: word,
  });
  const inSet = emulator.remote.createRule({
    ...{ ip_policy_id: policyId, action: 'deny' },
    cidr: '198.51.100.78/32',
    description: owner,
  });
  const stack = [
    {
      ...resource('IpPolicyRule', 'one', {
        ...inputs,
        cidr: secretOf('198.51.100.77/32'),
        description: secretOf(word),
        token: word,
      }),
      id: rule.id,
    },
    {
      ...resource('IpPolicyRuleSet', 'set', {
        ipPolicyId: policyId,
        rules: secretOf(`@rules\n198.51.100.78/32: deny '${owner}'\n`),
      }),
      outputs: { ruleIdList: `${inSet.id}\n` },
    },
  ];
  for (const args of [[], ['--live']]) {
    const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding(stack));
    const file = await writePage(line, '--csv', 'evidence.csv', ...args);
    scan.assertClean('the page', contentOf(file));
    scan.assertClean('the table', line.read('evidence.csv'));
    expect(line.read('evidence.csv')).toContain('(secret)');
  }
});
