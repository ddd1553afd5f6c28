// Comments the report. This is the only script of its job that gets the token: it runs nothing of the pull request, as a
// previewed program can read the environment of the process that started it.
import { existsSync, readFileSync } from 'node:fs';
import { keepComment } from './comment.mjs';
import { required } from './environment.mjs';
import { gitHubOfStep } from './github.mjs';
import { failureText, tellsNews } from './bundled-review.mjs';

const environment = process.env;

/** The page is an artifact of the run, if it could be made and uploaded. */
const linkTo = (page = '') =>
  /^https:\/\/[\w./-]+$/.test(page)
    ? `\n[Who gets in, before and after](${page}): a page to download.\n`
    : '';

async function comment() {
  const { REVIEW_REPORT: report = '', REVIEW_MARKDOWN: file = '' } = environment;
  // A killed step leaves neither file: the old comment must not look as if it were about this commit.
  const markdown = existsSync(file)
    ? readFileSync(file, 'utf8')
    : failureText('the job ended before it was made');
  const gitHub = gitHubOfStep();
  const place = {
    repository: required('GITHUB_REPOSITORY'),
    pullRequest: required('REVIEW_PULL_REQUEST'),
  };
  const content = {
    stack: required('REVIEW_STACK'),
    commit: required('REVIEW_COMMIT'),
    markdown: `${markdown}${linkTo(environment.REVIEW_PAGE)}`,
    isNews: tellsNews(report === '' ? {} : { report }),
  };
  try {
    await keepComment(gitHub, place, content);
  } catch (error) {
    // The token of a pull request from a fork may not comment; the summary and the gate do not depend on it.
    const reason = String(error.message).replaceAll(/[\r\n]+/g, ' ');
    console.log(`::warning::The review could not be posted as a comment: ${reason}`);
  }
}

await comment();
