// Who has accepted exactly this change: asked of GitHub's own records, never of the change, of a comment or of a check.
//
// A person accepts by approving the job that waits for a protected environment, with the words of `wordsFor` as the comment of the
// approval. So the record itself names the hash, the pull request, the commit and the person, whichever run it belongs to. It counts unless
// that person wrote or pushed the change, or started the run: "Prevent self-review" concerns only who started it, so a colleague who
// runs the workflow again would let an author approve.
import { runsOf } from './check-run.mjs';
import { Problem } from './environment.mjs';

/** After a squash and a revert, another pull request may bring the same commit with the same hash: so the words name it, too. */
export const wordsFor = (hash, number, sha) => `accept ${hash} for #${number} at ${sha}`;

/**
 * A commit to be judged: that of a pull request, or of a merge queue for one.
 *
 * @typedef {object} Judged
 * @property {string} sha
 * @property {string} tip of the branch that it is for
 * @property {any} pull
 * @property {string} check the name of its check run
 * @property {readonly string[]} actors who pushed it and started its preview
 */

/** @typedef {{ gitHub: import('./github.mjs').GitHub, repository: string, environment: string, run: string }} Place */

/**
 * Who has accepted the change with this hash, or why the approvals that there are do not count. What is accepted in a pull request
 * holds for its commit in a merge queue, too, if the queue's has the same hash.
 *
 * @param {Judged} judged
 * @param {string} hash
 * @param {Place} place
 * @returns {Promise<{ acceptedBy?: string, refusal?: string }>}
 */
export async function acceptanceOf(judged, hash, place) {
  const { gitHub, repository, environment } = place;
  const { number, head } = judged.pull;
  const words = [...new Set([judged.sha, head.sha])].map((sha) => wordsFor(hash, number, sha));
  const isMeant = ({ state, comment = '', environments = [] }) =>
    state === 'approved' &&
    environments.some(({ name }) => name === environment) &&
    words.some((line) => comment.includes(line));
  let refusal;
  for (const run of await runsAbout(judged, place)) {
    for (const approval of await gitHub.approvals(repository, run)) {
      if (!isMeant(approval)) continue;
      const { login } = approval.user;
      const starters = startersOf(await gitHub.run(repository, run));
      if (starters.includes(login)) refusal = `${login} started the run that waited for the approval`;
      else if ((await involvedIn(judged, place)).has(login)) refusal = `${login} wrote a part of the change`;
      else return { acceptedBy: login };
    }
  }
  return refusal === undefined ? {} : { refusal };
}

/** This run, and those that made an earlier check of the commit. @param {Judged} judged @param {Place} place */
const runsAbout = async ({ pull, check }, { gitHub, repository, run }) =>
  new Set([run, ...runsOf(await gitHub.checkRuns(repository, pull.head.sha, check))]);

/** Everyone who wrote, committed or pushed a part of the change. @param {Judged} judged @param {Place} place */
async function involvedIn({ sha, tip, pull, actors }, { gitHub, repository }) {
  const commits = [
    ...(await gitHub.commitsBetween(repository, tip, sha)),
    ...(await gitHub.commitsBetween(repository, tip, pull.head.sha)),
  ];
  const logins = commits.flatMap(({ sha, author, committer }) =>
    [author, committer].map((user) => loginOf(user, sha)),
  );
  return new Set([pull.user.login, ...actors, ...logins]);
}

/** Git takes any name for an author, and one without an account could be anybody's. */
function loginOf(user, sha) {
  if (typeof user?.login !== 'string')
    throw new Problem(`the author or committer of ${sha} has no account on GitHub, so nobody can accept it`);
  return user.login;
}

/** Who started a run, or its last attempt. @param {any} run */
export const startersOf = ({ actor, triggering_actor: again }) =>
  [actor?.login, again?.login].filter((login) => typeof login === 'string');
