import { repeated } from './github.mjs';

/** Finds our comment again; every stack has one of its own. Two hyphens would end the HTML comment. */
export const markerOf = (stack) =>
  `<!-- edge-policy-review ${encodeURIComponent(stack).replaceAll('-', '%2D')} -->`;

const NO_LONGER = '**This pull request no longer affects access**; an earlier state of it did.';

/**
 * Keeps one comment up to date, which names the commit that it is about. A change that does not affect access gets none; but if
 * there is one already, it is updated, as the old findings must not stay.
 */
export async function keepComment(gitHub, place, { stack, commit, markdown, isNews }) {
  const marker = markerOf(stack);
  const find = () => ownComment(gitHub, place, marker);
  const existing = await find();
  if (existing === undefined && !isNews) return;
  const body = `${marker}\n${isNews ? '' : `${NO_LONGER}\n\n`}${markdown}\nReviewed commit: ${commit}\n`;
  if (existing === undefined) await repeated(() => gitHub.createComment(place, body), find);
  else if (existing.body !== body) await gitHub.updateComment(place, existing.id, body);
}

/** Only comments of the token's own identity count: anybody may write one with the marker, and later remove the review from it. */
async function ownComment(gitHub, place, marker) {
  const login = await gitHub.ownLogin();
  for await (const comment of gitHub.comments(place)) {
    if (comment.user?.login === login && comment.body?.startsWith(marker)) return comment;
  }
  return undefined;
}
