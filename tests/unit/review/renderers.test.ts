import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readPreviewDocument,
  renderJson,
  renderMarkdown,
  renderText,
  type Report,
} from '../../../review/src';
import { MARKDOWN_LIMIT } from '../../../review/src/report/render-markdown';
import { added, agents, kept, ruleSet, tcp, type MadeResource } from './preview-builder';
import { filterInputs, rule } from './inputs';
import { asserting, jsonOf, recorded, reviewed, schemaErrors, textOf, told } from './reviewing';

const FIXTURES = [
  'change',
  'no-change',
  'failed-check',
  'failed-program',
  'without-show-sames',
  'with-refresh',
  'targeted',
  'deletions',
];
const assertions = asserting({
  policies: [{ ipPolicyId: 'ipp_1', mustAllow: ['203.0.113.1'], mustDeny: ['8.8.8.8'] }],
  userAgentFilters: [{ edgeId: 'edghts_1', routeId: 'edghtsrt_1', mustAllow: [null] }],
  waivers: [
    { finding: 'open-to-all', subject: 'policy:ipp_1', reason: 'a public site', expires: '2026-12-31' },
  ],
});
const reportOf = (name: string): Report => reviewed(readPreviewDocument(recorded(name)), { assertions });

describe.each<[string, (report: Report) => string]>([
  ['markdown', (report) => renderMarkdown(report)],
  ['json', renderJson],
  ['text', textOf],
])('%s', (_format, render) => {
  test.each(FIXTURES)(
    'the same bytes for the same preview, in whatever order the engine took its steps: %s',
    (name) => {
      const document = readPreviewDocument(recorded(name));
      // The engine takes the steps of one resource in their order: what it reads comes before what it changes.
      const resources = [...new Set(document.steps.map(({ urn }) => urn.text))].reverse();
      const steps = resources.flatMap((urn) => document.steps.filter((step) => step.urn.text === urn));
      const shuffled = { ...document, steps };
      expect(render(reviewed(shuffled, { assertions }))).toBe(render(reportOf(name)));
    },
  );

  test('nothing of a stack gets through that a terminal or a reader could be fooled by', () => {
    const evil =
      '\u001b[31m`|<img src=x onerror=y>@team #1 [a](http://x.example) ![b](c)\u202e\u2066\n\r\u0000';
    const parts = [{ name: evil, actions: [{ type: evil }] }, { name: evil }];
    const resources: MadeResource[] = [
      added(evil, rule('0.0.0.0/0', 'allow', evil)),
      ruleSet(evil, {
        before: { ipPolicyId: evil, rules: evil },
        after: { ipPolicyId: evil, rules: '[secret]' },
      }),
      tcp(evil, { after: { edgeId: evil, enabled: true, value: JSON.stringify({ [evil]: parts }) } }),
      agents(evil, { after: { ...filterInputs([evil, '.*'], [evil]), edgeId: evil, routeId: evil } }),
    ];
    const output = render(reviewed(resources));
    for (const sign of ['\u001b', '\u202e', '\u2066', '\u0000', '\r']) expect(output).not.toContain(sign);
    expect(output).not.toMatch(/^@|^!\[|^<img/m);
  });
});

test.each(FIXTURES)('json: %s is what the published schema describes', (name) => {
  jsonOf(reportOf(name));
});

test('json: so is a report about drift', () => {
  const drift = { items: [], unmanaged: [] };
  jsonOf(reviewed([added('office', rule('8.8.8.0/24'))], { drift }));
});

test('the assertion file of these tests is what its schema describes, and a misspelt key is not', () => {
  const errors = (asked: object) =>
    schemaErrors('assertions-1', { policies: [{ ipPolicyId: 'ipp_1', ...asked }] });
  expect(errors({ mustAllow: ['203.0.113.1'] })).toBeNull();
  expect(errors({ mustAlow: ['203.0.113.1'] })).not.toBeNull();
});

test('markdown: of 30,000 findings the least severe are left out, with a count', () => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    added(`rule-${index}`, rule(`10.${index >> 8}.${index & 255}.0/24`, 'deny', `ipp_x${index}`)),
  );
  const open = added('open', rule('0.0.0.0/0', 'allow', 'ipp_2'));
  const report = reviewed([open, kept('office', rule('8.8.8.0/24')), ...many]);
  const mildest = report.findings.slice(-1);
  const findings = [...report.findings, ...Array.from({ length: 30_000 }, () => mildest).flat()];
  const text = renderMarkdown({ ...report, findings });
  expect(text.length).toBeLessThan(MARKDOWN_LIMIT);
  expect(text.length).toBeGreaterThan(MARKDOWN_LIMIT * 0.9);
  expect(text).toContain('`open-to-all`');
  const left = Array.from(
    text.matchAll(/([\d,]+) findings? left out for length, none worse than/g),
    (match) => Number(match[1]?.replace(',', '')),
  ).reduce((sum, part) => sum + part, 0);
  // The first screen says the worst of them once more.
  const below = text.slice(text.indexOf('<details>'));
  const shown = below.match(/^- .* \*\*(critical|high|medium|low|info)\*\* /gm)?.length ?? 0;
  expect(shown + left).toBe(findings.length);
});

test('markdown: the first screen has at most fifteen lines, the worst first, and no ids', () => {
  const ipPolicyId = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
  const many = Array.from({ length: 40 }, (_, index) =>
    added(`rule-${index}`, rule(`10.${index}.0.0/24`, 'allow', `${ipPolicyId}${index}`)),
  );
  const text = renderMarkdown(reviewed([added('open', rule('0.0.0.0/0', 'allow', ipPolicyId)), ...many]));
  const lines = text
    .slice(0, text.indexOf('<details>'))
    .split('\n')
    .filter((line) => line !== '');
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(lines[3]).toMatch(/^- 🔴 \*\*critical\*\* .*`open` `index\.ts:1`$/);
  expect(lines.at(-3)).toMatch(/^- \d+ more findings below, none worse than \w+\.$/);
  expect(lines.join('\n')).not.toContain('ipp_');
});

test('forty rules of one policy with the same oddity are one finding', () => {
  const inner = Array.from({ length: 40 }, (_, index) => added(`rule-${index}`, rule(`10.${index}.0.0/24`)));
  expect(told(reviewed([kept('wide', rule('10.0.0.0/8')), ...inner]), 'rule-covered')).toEqual([
    'low rule-covered: Nothing depends on 40 allow rules ("10.0.0.0/24", "10.1.0.0/24", "10.2.0.0/24" and 37 more): already covered by rule "10.0.0.0/8".',
  ]);
});

test('markdown: any limit down to a few thousand characters is kept', () => {
  const resources = Array.from({ length: 60 }, (_, index) =>
    added(`rule-${index}`, rule(`10.0.${index}.0/24`, 'allow', `ipp_${index % 7}`)),
  );
  const report = reviewed(resources);
  fc.assert(
    fc.property(fc.integer({ min: 6000, max: 30_000 }), (limit) => {
      expect(renderMarkdown(report, limit).length).toBeLessThan(limit);
    }),
    { numRuns: 20 },
  );
});

test('text: colours are for a terminal alone', () => {
  const report = reportOf('change');
  const coloured = renderText(report, { hasColours: true });
  expect(coloured).toContain('\u001b[31mHIGH\u001b[0m');
  // eslint-disable-next-line no-control-regex -- the colours are what is taken away
  expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(textOf(report));
});

test('Markdown links each finding and the pages that it names, if it is told where they are; foreign text becomes no link', () => {
  const named = 'docs/approving.md in the package pulumi-edge-policy';
  const report = reviewed([added(named, rule('0.0.0.0/0'))]);
  const pages = 'https://github.example/acme/edge/blob/c0ffee/docs';
  const text = renderMarkdown(report, MARKDOWN_LIMIT, pages);
  expect(text).toContain(` · [\`open-to-all\`](${pages}/findings-access.md#open-to-all)\n`);
  expect(text).toContain(`(see [docs/approving.md](${pages}/approving.md)).`);
  expect(text).toContain(`\`${named}\``);
  const links = Array.from(text.matchAll(/\]\((\S+?)\)/g), ([, target = '']) =>
    target.replace(pages, 'docs'),
  );
  expect(links.length).toBeGreaterThan(3);
  const missing = links.filter((link) => {
    const [page = '', heading = ''] = link.split('#');
    const place = join(__dirname, '../../..', page);
    return (
      !existsSync(place) || !readFileSync(place, 'utf8').includes(heading === '' ? '# ' : `\n## ${heading}\n`)
    );
  });
  expect(missing).toEqual([]);
  expect(renderMarkdown(report)).not.toContain('](');
});
