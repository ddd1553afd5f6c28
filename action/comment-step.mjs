// Comments the report. The only script that gets the token: it runs nothing of the pull request, as a program that is
// previewed can read the environment of the process that started it.
import { readFileSync } from 'node:fs';
import { keepComment } from './comment.mjs';
import { GitHub } from './github.mjs';

const environment = process.env;

/** @param {string} variable */
function required(variable) {
  const value = environment[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set`);
  return value;
}

/** Whether a reviewer has to know: access changes, the gate is shut, or something new is worse than low. */
const tellsNews = ({ verdict, findings }) =>
  verdict.affectsAccess ||
  verdict.outcome !== 'clear' ||
  findings.some(
    ({ isNew, waivedUntil, severity }) =>
      isNew && waivedUntil === undefined && ['critical', 'high', 'medium'].includes(severity),
  );

async function comment() {
  const isNews = tellsNews(JSON.parse(readFileSync(required('REVIEW_REPORT'), 'utf8')));
  const markdown = readFileSync(required('REVIEW_MARKDOWN'), 'utf8');
  const gitHub = new GitHub({
    url: environment.GITHUB_API_URL,
    graphQlUrl: environment.GITHUB_GRAPHQL_URL,
    token: environment.REVIEW_TOKEN,
  });
  const place = {
    repository: required('GITHUB_REPOSITORY'),
    pullRequest: required('REVIEW_PULL_REQUEST'),
  };
  try {
    await keepComment(gitHub, place, { stack: required('REVIEW_STACK'), markdown, isNews });
  } catch (error) {
    // The token of a pull request from a fork may not comment; the summary and the gate do not depend on it.
    const reason = String(error.message).replaceAll(/[\r\n]+/g, ' ');
    console.log(`::warning::The review could not be put into a comment: ${reason}`);
  }
}

await comment();
