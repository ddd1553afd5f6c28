/** A call that GitHub refused. */
export class GitHubError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const PAGE_SIZE = 100;

/** The calls of GitHub's API that the action needs. */
export class GitHub {
  #url;
  #graphQlUrl;
  #token;

  constructor({ url = 'https://api.github.com', graphQlUrl = `${url}/graphql`, token }) {
    this.#url = url;
    this.#graphQlUrl = graphQlUrl;
    this.#token = token;
  }

  /** Whose token it is. The only question of the kind that the token of a workflow may ask: REST has no `/user` for it. */
  async ownLogin() {
    const query = 'query { viewer { login } }';
    const answer = /** @type {any} */ (await this.#send('POST', this.#graphQlUrl, { query }));
    const login = answer?.data?.viewer?.login;
    if (typeof login !== 'string' || login === '') throw new GitHubError(200, 'viewer has no login');
    return login;
  }

  /** All comments of a pull request, page by page, the oldest first. */
  async *comments({ repository, pullRequest }) {
    for (let page = 1; ; page += 1) {
      const query = `per_page=${PAGE_SIZE}&page=${page}`;
      const comments = /** @type {any[]} */ (
        await this.#call('GET', `/repos/${repository}/issues/${pullRequest}/comments?${query}`)
      );
      yield* comments;
      if (comments.length < PAGE_SIZE) return;
    }
  }

  createComment({ repository, pullRequest }, body) {
    return this.#call('POST', `/repos/${repository}/issues/${pullRequest}/comments`, { body });
  }

  updateComment({ repository }, id, body) {
    return this.#call('PATCH', `/repos/${repository}/issues/comments/${id}`, { body });
  }

  #call(method, path, content) {
    return this.#send(method, this.#url + path, content);
  }

  async #send(method, url, content) {
    const response = await fetch(url, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${this.#token}`,
        'x-github-api-version': '2022-11-28',
        ...(content && { 'content-type': 'application/json' }),
      },
      ...(content && { body: JSON.stringify(content) }),
      redirect: 'error',
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok)
      throw new GitHubError(response.status, `${method} comments was answered with ${response.status}`);
    return response.json();
  }
}
