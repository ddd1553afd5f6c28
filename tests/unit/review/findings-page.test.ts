import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOG, FINDING_IDS, type FindingId, PAGES } from '../../../review/src/findings/catalog';
import { readPreviewDocument } from '../../../review/src';
import type { Finding } from '../../../review/src/findings/finding';
import { markdown } from '../../../review/src/text/escape';
import { type FindingExample, FINDING_EXAMPLES } from './finding-examples';
import { previewText, type MadeResource } from './preview-builder';
import { reviewed } from './reviewing';

const ABOUT = {
  change: 'describes the change',
  state: 'counts as new only if this change causes it',
  evidence: 'makes the review not decidable',
} as const;

/** The findings that an example is there to show. */
function exampleFindings(id: FindingId): Finding[] {
  const { resources, wishes, previewText: text }: FindingExample = FINDING_EXAMPLES[id];
  const report = reviewed(readPreviewDocument(text ?? previewText(resources)), wishes);
  return report.findings.filter((found) => found.id === id);
}

/** The pages about findings, from the catalog and the examples, so that they cannot say what the review does not. */
const findingsPages = (): Readonly<Record<string, string>> => ({
  'findings.md': indexPage(),
  ...Object.fromEntries(FAMILIES.map((family) => [family.page, familyPage(family)])),
});

/** Each page: its key, its title, and what its findings are about. */
const FAMILIES = (
  [
    ['access', 'Findings about who gets in', 'the addresses that IP policies let in'],
    [
      'rules',
      'Findings about rules',
      'rules that have no effect or repeat each other, and texts that are not what was meant',
    ],
    ['modules', 'Findings about modules', 'traffic policies and user agent filters'],
    [
      'process',
      'Findings about the review itself',
      'assertions, waivers, plans, and what a preview does not show',
    ],
    ['outside', 'Findings about lists and drift', 'published lists, and changes outside the program'],
  ] as const
).map(([key, title, about]) => ({
  ...{ page: `findings-${key}.md`, title, about },
  ids: Object.keys(PAGES[key]) as FindingId[],
}));

const RENEWED =
  '<!-- Written by a test: UPDATE_DOCS=1 npx jest --selectProjects=unit --testPathPatterns findings-page -->';

const indexPage = (): string =>
  paragraphs([
    '# What a review can find',
    RENEWED,
    'Every finding of [`npx --no-install pulumi-edge-policy-cli review`](review.md) has an id, which waivers use, and a usual ' +
      'severity. For each finding, its page shows an example, what the review says about it, and what to do.',
    'A review has a finding only if it changes a decision: it says who gets in or is locked out, a gate, a guard or the record ' +
      'of what was reviewed needs it, or nothing can be decided without it.',
    ...FAMILIES.flatMap(({ page, title, about, ids }) => [
      `## [${title}](${page})`,
      `${about.charAt(0).toUpperCase()}${about.slice(1)}.`,
      ids.map((id) => `- [${id}](${page}#${id}): ${CATALOG[id].severity}`).join('\n'),
    ]),
  ]);

const familyPage = ({ title, about, ids }: (typeof FAMILIES)[number]): string =>
  paragraphs([
    `# ${title}`,
    RENEWED,
    `The [findings](findings.md) about ${about}. In the examples, \`+\` is what the change adds, \`-\` what it removes; the rest ` +
      `is unchanged. The severity is the usual one: the size of a change can raise or lower it.`,
    ...ids.map(sectionOf),
  ]);

const paragraphs = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

function sectionOf(id: FindingId): string {
  const { title, severity, about, advice } = CATALOG[id];
  const { resources, previewText: text } = FINDING_EXAMPLES[id];
  const found = exampleFindings(id).find(({ isNew }) => isNew);
  const usual = found && found.severity !== severity ? `, but ${found.severity} in this example` : '';
  return [
    `## ${id}`,
    `**${title}.** Severity ${severity}${usual}; ${ABOUT[about]}.`,
    `\`\`\`diff\n${text ?? resources.flatMap(linesOf).join('\n')}\n\`\`\``,
    `> ${markdown(found?.reason ?? [])}`,
    `What to do: ${markdown([advice])}`,
  ].join('\n\n');
}

function linesOf(resource: MadeResource): string[] {
  const line = (sign: string, inputs: Readonly<Record<string, unknown>>, remark = '') =>
    `${sign} ${resource.type} ${resource.name}: ${describe(inputs)}${remark}`;
  const { before, after, op, state } = resource;
  if (before && after && JSON.stringify(before) === JSON.stringify(after))
    return [line(' ', after, op === 'replace' ? '   (replaced)' : '')];
  const kept = state?.['retainOnDelete'] === true ? '   (retainOnDelete)' : '';
  return [...(before ? [line('-', before, kept)] : []), ...(after ? [line('+', after)] : [])];
}

const describe = (inputs: Readonly<Record<string, unknown>>): string =>
  Object.values(inputs)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('  ');

const DOCS = join(__dirname, '../../../docs');

test.each(FINDING_IDS)('%s: its example brings it, with what a waiver of it has to name', (id) => {
  const found = exampleFindings(id);
  expect(found.some(({ isNew }) => isNew)).toBe(true);
  if (!CATALOG[id].extents) return;
  for (const { extent } of found) expect(Object.keys(extent ?? {})).not.toEqual([]);
});

test('the pages about findings document every finding as the code has it', () => {
  const pages = Object.entries(findingsPages());
  for (const [name, page] of pages) {
    if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(join(DOCS, name), page);
    expect(readFileSync(join(DOCS, name), 'utf8')).toBe(page);
  }
  const text = pages.map(([, page]) => page).join('');
  expect(FINDING_IDS.filter((id) => !text.includes(`\n## ${id}\n`))).toEqual([]);
});
