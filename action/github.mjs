import { setTimeout } from 'node:timers/promises';
import { required } from './environment.mjs';

export class GitHubError extends Error {
  constructor(status, message, retryAfter = '') {
    super(message);
    this.status = status;
    if (/^\d+$/.test(retryAfter)) this.retryAfterMs = Math.min(Number(retryAfter) * 1000, LONGEST_WAIT_MS);
  }
}

/** The status of a call without an answer. */
const NO_ANSWER = 0;
const WAITS_MS = [1_000, 4_000, 16_000];
const LONGEST_WAIT_MS = 30_000;

/** Repeats a call that GitHub cannot serve now. One that must not be made twice looks first whether it has arrived. */
export async function repeated(call, arrived = async () => undefined) {
  for (const waitMs of WAITS_MS) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof GitHubError) || !canRepeat(error)) throw error;
      await setTimeout(error.retryAfterMs ?? waitMs);
    }
    const result = await arrived();
    if (result !== undefined) return result;
  }
  return call();
}

const canRepeat = ({ status }) => status === NO_ANSWER || status === 429 || status >= 500;

/** A call whose connection is lost has no answer: a server may end one that was kept while the review ran. */
async function answered(call) {
  try {
    return await call();
  } catch (error) {
    // A call that takes too long takes too long again.
    if (error instanceof GitHubError || error.name === 'TimeoutError') throw error;
    const reason = error.cause?.message ?? error.message;
    throw new GitHubError(NO_ANSWER, `the connection to GitHub was lost: ${reason}`);
  }
}

const PAGE_SIZE = 100;
const MOST_PAGES = 20;
/** No file of guards is longer; a longer answer is not read to its end. */
const LONGEST_TEXT_BYTES = 4 * 1024 ** 2;

export class GitHub {
  #url;
  #graphQlUrl;
  #token;

  constructor({ url = 'https://api.github.com', graphQlUrl = `${url}/graphql`, token }) {
    this.#url = url;
    this.#graphQlUrl = graphQlUrl;
    this.#token = token;
  }

  /** The identity of the token. This is the only such query that a workflow's token may make: REST has no `/user` for it. */
  async ownLogin() {
    const query = 'query { viewer { login } }';
    const answer = await repeated(() => this.#send('POST', this.#graphQlUrl, { content: { query } }));
    const login = answer?.data?.viewer?.login;
    if (typeof login !== 'string' || login === '') throw new GitHubError(200, 'viewer has no login');
    return login;
  }

  comments({ repository, pullRequest }) {
    return this.#pages(`/repos/${repository}/issues/${pullRequest}/comments`);
  }

  createComment({ repository, pullRequest }, body) {
    return this.#call('POST', `/repos/${repository}/issues/${pullRequest}/comments`, { content: { body } });
  }

  updateComment({ repository }, id, body) {
    return this.#call('PATCH', `/repos/${repository}/issues/comments/${id}`, { content: { body } });
  }

  async openPullRequests(repository, { owner, branch }) {
    const head = encodeURIComponent(`${owner}:${branch}`);
    const pulls = [];
    for await (const pull of this.#pages(`/repos/${repository}/pulls?state=open&head=${head}`))
      pulls.push(pull);
    return pulls;
  }

  /** The newest commit of a branch. */
  async tip(repository, branch) {
    const place = branch.split('/').map(encodeURIComponent).join('/');
    const { object } = await this.#call('GET', `/repos/${repository}/git/ref/heads/${place}`);
    return object.sha;
  }

  /** Checks that a commit can be read, so that a file that is missing in it is told from an unreadable commit. */
  commit(repository, sha) {
    return this.#call('GET', `/repos/${repository}/git/commits/${sha}`);
  }

  /** The text of a file in a commit; undefined if it has none. */
  async fileAt(repository, sha, file, limitBytes = LONGEST_TEXT_BYTES) {
    const accept = 'application/vnd.github.raw+json';
    const bytes = await this.#contents(repository, sha, { place: file, accept, limitBytes });
    return bytes?.toString('utf8');
  }

  /** What a commit has at a path; undefined if it has nothing there. */
  async #contents(repository, sha, { place, ...options }) {
    const encoded = place.split('/').map(encodeURIComponent).join('/');
    try {
      return await this.#call('GET', `/repos/${repository}/contents/${encoded}?ref=${sha}`, options);
    } catch (error) {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** The names of a folder in a commit, of which GitHub lists a thousand; none if there is no such folder. */
  async namesIn(repository, sha, folder) {
    const entries = await this.#contents(repository, sha, { place: folder === '.' ? '' : folder });
    return Array.isArray(entries) ? entries.map(({ name }) => name) : [];
  }

  async artifact(repository, runId, name) {
    const query = `name=${encodeURIComponent(name)}&per_page=${PAGE_SIZE}`;
    const path = `/repos/${repository}/actions/runs/${runId}/artifacts?${query}`;
    const { artifacts } = await this.#call('GET', path);
    const named = artifacts.filter((artifact) => artifact.name === name && artifact.expired !== true);
    return named.sort((left, right) => right.id - left.id)[0];
  }

  /** An artifact as a zip file. Its address is on another host, which must not get the token. */
  async archive(repository, id, limitBytes) {
    const path = `/repos/${repository}/actions/artifacts/${id}/zip`;
    const address = await this.#call('GET', path, { isAddress: true });
    const load = async () => {
      const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(120_000) });
      if (!response.ok) throw new GitHubError(response.status, `the artifact returned ${response.status}`);
      return bytesOf(response, limitBytes);
    };
    return repeated(() => answered(load));
  }

  pullRequest(repository, number) {
    return this.#call('GET', `/repos/${repository}/pulls/${number}`);
  }

  /** The pull requests that brought a commit, whichever way they were merged. */
  pullRequestsWith(repository, sha) {
    return this.#call('GET', `/repos/${repository}/commits/${sha}/pulls?per_page=${PAGE_SIZE}`);
  }

  run(repository, id) {
    return this.#call('GET', `/repos/${repository}/actions/runs/${id}`);
  }

  /** Who has approved jobs of a run, for which environments and with which comment. */
  approvals(repository, runId) {
    return this.#call('GET', `/repos/${repository}/actions/runs/${runId}/approvals`);
  }

  /** The check runs of this name on a commit, those of earlier attempts included. */
  checkRuns(repository, sha, name) {
    const query = `check_name=${encodeURIComponent(name)}&filter=all`;
    const path = `/repos/${repository}/commits/${sha}/check-runs?${query}`;
    return this.#all(path, ['check_runs', 'total_count']);
  }

  commitsBetween(repository, base, head) {
    return this.#all(`/repos/${repository}/compare/${base}...${head}?`, ['commits', 'total_commits']);
  }

  /** A list to its end, whose pages name its length: anybody may have made so many entries that those that count are on a later page. */
  async #all(path, [member, length]) {
    const entries = [];
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const answer = await this.#call('GET', `${path}&per_page=${PAGE_SIZE}&page=${page}`);
      entries.push(...answer[member]);
      if (entries.length >= answer[length]) return entries;
      if (answer[member].length === 0) break;
    }
    throw new GitHubError(200, `GitHub did not list all ${member}`);
  }

  /** The newest check run of a name counts, so this call may be made twice. */
  createCheckRun(repository, content) {
    return repeated(() => this.#call('POST', `/repos/${repository}/check-runs`, { content }));
  }

  async *#pages(path) {
    const separator = path.includes('?') ? '&' : '?';
    for (let page = 1; ; page += 1) {
      const entries = await this.#call('GET', `${path}${separator}per_page=${PAGE_SIZE}&page=${page}`);
      yield* entries;
      if (entries.length < PAGE_SIZE) return;
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ content?: object, accept?: string, limitBytes?: number, isAddress?: boolean }} [options]
   * @returns {Promise<any>}
   */
  #call(method, path, options) {
    const send = () => this.#send(method, this.#url + path, options);
    return method === 'POST' ? send() : repeated(send);
  }

  #send(method, url, options = {}) {
    const { content, accept = 'application/vnd.github+json', limitBytes, isAddress = false } = options;
    return answered(async () => {
      const response = await fetch(url, {
        method,
        headers: {
          accept,
          authorization: `Bearer ${this.#token}`,
          'x-github-api-version': '2022-11-28',
          ...(content && { 'content-type': 'application/json' }),
        },
        ...(content && { body: JSON.stringify(content) }),
        redirect: isAddress ? 'manual' : 'error',
        signal: AbortSignal.timeout(30_000),
      });
      const address = response.headers.get('location');
      if (isAddress && response.status === 302 && address !== null) return address;
      if (!response.ok) {
        const what = new URL(url).pathname.split('/').slice(4).join('/');
        const retryAfter = response.headers.get('retry-after') ?? '';
        throw new GitHubError(response.status, `${method} ${what} returned ${response.status}`, retryAfter);
      }
      return limitBytes === undefined ? response.json() : bytesOf(response, limitBytes);
    });
  }
}

export const gitHubOfStep = ({ GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: graphQlUrl } = process.env) =>
  new GitHub({ url, graphQlUrl, token: required('REVIEW_TOKEN') });

/** Reads a body that may have any length, announced or not. */
async function bytesOf(response, limitBytes) {
  const parts = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.byteLength;
    if (length > limitBytes) throw new GitHubError(200, `an answer is longer than ${limitBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
