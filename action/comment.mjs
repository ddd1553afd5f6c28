import { GitHubError } from './github.mjs';

/** Finds our comment again; every stack has one of its own. Two hyphens would end the HTML comment. */
export const markerOf = (stack) =>
  `<!-- edge-policy-review ${encodeURIComponent(stack).replaceAll('-', '%2D')} -->`;

const NO_LONGER = '**This pull request no longer affects access**; an earlier state of it did.';

/**
 * Keeps one comment up to date. A change that does not affect access gets none, but where there is one already it says
 * so: silence would leave the old findings standing.
 */
export async function keepComment(gitHub, place, { stack, markdown, affectsAccess }) {
  const marker = markerOf(stack);
  const own = [];
  for await (const comment of gitHub.comments(place)) {
    if (comment.body?.startsWith(marker)) own.push(comment);
  }
  if (own.length === 0 && !affectsAccess) return;
  const body = `${marker}\n${affectsAccess ? '' : `${NO_LONGER}\n\n`}${markdown}`;
  for (const comment of own) {
    if (comment.body === body || (await canUpdate(gitHub, place, comment, body))) return;
  }
  await gitHub.createComment(place, body);
}

/** Anybody may write a comment that starts with the marker; only those of the token's owner can be changed. */
async function canUpdate(gitHub, place, comment, body) {
  try {
    await gitHub.updateComment(place, comment.id, body);
    return true;
  } catch (error) {
    if (error instanceof GitHubError && [403, 404].includes(error.status)) return false;
    throw error;
  }
}
