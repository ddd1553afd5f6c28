// One comment about several stacks, from the reports that their jobs have left as artifacts of this run.
import { appendFileSync } from 'node:fs';
import { failureText, linesOf } from './bundled-review.mjs';
import { keepComment } from './comment.mjs';
import { artifactOf, isFullName, logForeign, required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
import { isNews, parseReport, rankOf } from './report.mjs';
import { fileInZip } from './zip.mjs';

const environment = process.env;
const repository = required('GITHUB_REPOSITORY');
const stacks = linesOf(required('REVIEW_STACKS'));
const LIMIT_BYTES = 64 * 1024 ** 2;
/** A comment has 65,536 characters at most. */
const LONGEST_COMMENT = 60_000;
const gitHub = gitHubOfStep();

/**
 * What the job of a stack has left about a pull request: it judges several, each in a folder.
 *
 * @returns {Promise<{ stack: string, markdown: string, report?: import('./report.mjs').Report }>}
 */
async function reportOf(stack, pull) {
  const name = artifactOf('review', stack);
  try {
    const artifact = await gitHub.artifact(repository, required('GITHUB_RUN_ID'), name);
    const archive = artifact && (await gitHub.archive(repository, artifact.id, LIMIT_BYTES));
    const text = (file) => textIn(archive, `${pull}/${file}`);
    const [markdown = NO_REPORT, json] = [text('report.md'), text('report.json')];
    return { stack, markdown, report: json === undefined ? undefined : parseReport(json) };
  } catch (error) {
    logForeign(String(error.stack ?? error));
    return { stack, markdown: NO_REPORT };
  }
}

const NO_REPORT = failureText('its job left no report');

function textIn(archive, file) {
  try {
    return fileInZip(archive, file, LIMIT_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}

const verdictIn = (markdown) => markdown.split('\n').find((line) => /^(?:🟢|🟡|🔴) \*\*/u.test(line)) ?? '🔴';

/** A line a stack, and below them the reports, folded, as far as there is room. */
function merged(reports) {
  const lines = reports.map(({ stack, markdown }) => `- \`${stack}\` ${verdictIn(markdown)}`);
  let text = `## Access reviews\n\n${lines.join('\n')}\n`;
  const left = reports.filter(({ stack, markdown }) => {
    const part = `\n<details><summary>${stack}</summary>\n\n${markdown}\n</details>\n`;
    const hasRoom = text.length + part.length < LONGEST_COMMENT;
    if (hasRoom) text += part;
    return !hasRoom;
  });
  const names = left.map(({ stack }) => `\`${stack}\``).join(', ');
  return names === ''
    ? text
    : `${text}\nToo long for a comment, so only in the summary of the job: ${names}.\n`;
}

for (const stack of stacks)
  if (!isFullName(stack)) throw new Error('give the full names of the stacks, as ORGANIZATION/PROJECT/STACK');

// Without an open pull request there is nowhere to comment.
for (const pull of (environment.REVIEW_PULL_REQUESTS ?? '').match(/\d+/g) ?? []) {
  const reports = await Promise.all(stacks.map((stack) => reportOf(stack, pull)));
  const markdown = merged(reports.sort((left, right) => rankOf(left.report) - rankOf(right.report)));
  appendFileSync(required('GITHUB_STEP_SUMMARY'), markdown);
  const place = { repository, pullRequest: pull };
  const news = reports.some(({ report }) => isNews(report));
  const content = { commit: required('REVIEW_COMMIT'), markdown, isNews: news };
  await keepComment(gitHub, place, { stack: `summary of ${environment.GITHUB_WORKFLOW}`, ...content });
}
