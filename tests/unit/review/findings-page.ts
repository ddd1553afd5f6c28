import { readPreviewDocument } from '../../../review/src';
import type { FindingId } from '../../../review/src/findings/catalog';
import { CATALOG, FINDING_IDS } from '../../../review/src/findings/catalog';
import type { Finding } from '../../../review/src/findings/finding';
import { markdown } from '../../../review/src/text/escape';
import type { FindingExample } from './finding-examples';
import { FINDING_EXAMPLES } from './finding-examples';
import type { MadeResource } from './preview-builder';
import { previewText } from './preview-builder';
import { reviewed } from './reviewing';

const ABOUT = {
  change: 'says what the change does',
  state: 'counts only if the change brings it',
  undecidable: 'makes the review not decidable',
} as const;

/** The finding that an example is there to show. */
export function exampleFinding(id: FindingId): Finding | undefined {
  const { resources, wishes, previewText: text }: FindingExample = FINDING_EXAMPLES[id];
  const report = reviewed(readPreviewDocument(text ?? previewText(resources)), wishes);
  return report.findings.find((found) => found.id === id && found.isNew);
}

/** `docs/findings.md` from the catalog and the examples, so that the page cannot say what the review does not. */
export function findingsPage(): string {
  const sections = [
    '# What a review can find',
    'Every finding of `edge-policy review`, with its id (waivers and code scanning name it), its usual severity, an example, what the review says of the example, and what to do. The page is written by a test from the code and from real reviews of the examples: `UPDATE_DOCS=1 npx jest --selectProjects=unit --testPathPatterns findings-page` renews it.',
    'In the examples `+` is what the change adds, `-` what it removes, and the rest stays. How a review reads a change, and the assumptions behind it, is in [review.md](review.md).',
    tableOfContents(),
    ...FINDING_IDS.map(sectionOf),
  ];
  return `${sections.join('\n\n')}\n`;
}

const tableOfContents = (): string =>
  FINDING_IDS.map((id) => `- [${id}](#${id}): ${CATALOG[id].severity}, ${ABOUT[CATALOG[id].about]}`).join(
    '\n',
  );

function sectionOf(id: FindingId): string {
  const { title, severity, about, advice } = CATALOG[id];
  const { resources, previewText: text } = FINDING_EXAMPLES[id];
  const found = exampleFinding(id);
  const usual = found && found.severity !== severity ? `; here ${found.severity}` : '';
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
