import type { IncomingMessage, RequestListener } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import type { Lifetime } from '../../support/cleanup';
import { startRawServer } from '../../support/raw-server';

/** Whose token the workflow has, as GitHub calls it. */
export const OWN_LOGIN = 'github-actions[bot]';

export interface Comment {
  readonly id: number;
  body: string;
  readonly user: { readonly login: string };
}

export interface Pull {
  readonly number: number;
  readonly branch: string;
  readonly head: string;
  /** The base branch, and its commit as the pull request has it, which may be an earlier one. */
  readonly into: string;
  readonly base: string;
  readonly repository?: string;
  /** Who opened it. */
  readonly by?: string;
  /** The commit by which it was merged. */
  readonly merged?: string;
}

/** An approval of jobs that wait for environments, as GitHub lists it. */
export interface Approval {
  readonly state: 'approved' | 'rejected';
  readonly comment: string;
  readonly user: { readonly login: string };
  readonly environments: readonly { readonly name: string }[];
}

/** A commit; one whose author or committer has no account has none in place of the login. */
export interface Commit {
  readonly sha: string;
  readonly author: { readonly login: string } | null;
  readonly committer: { readonly login: string } | null;
}

/** A check run as it was sent. */
export interface CheckRun {
  readonly name: string;
  readonly head_sha: string;
  readonly conclusion: string;
  readonly details_url: string;
  readonly output: { readonly title: string; readonly summary: string; readonly annotations: unknown[] };
}

/** What a request was answered with; `undefined` is 404. */
type Answer =
  readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>] | undefined;

/** In place of the status of an outage: the connection ends without an answer. */
export const LOST = 0;

/** Stands in for the calls of the API that the action makes, with 100 entries a page, as the real one. */
export class StandInGitHub {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  readonly checks: CheckRun[] = [];
  readonly pulls: Pull[] = [];
  /** Files by `commit:path`; a commit exists once it is named in `commits`. */
  readonly files = new Map<string, string>();
  readonly commits = new Set<string>();
  /** The newest commit of each branch. */
  readonly tips = new Map<string, string>();
  /** The artifacts of runs that have not expired, by `run/name`. */
  readonly artifacts = new Map<string, Buffer>();
  archiveSize: number | undefined;
  /** The approvals of runs, and who started these. */
  readonly approvals = new Map<string, Approval[]>();
  readonly starters = new Map<string, string>();
  /** In what runs differ from one of the workflow that judges. */
  readonly runs = new Map<string, object>();
  /** What a head has and its base has not. */
  readonly changes = new Map<string, Commit[]>();
  /** Calls, by their beginning, that are answered once with this status, whether or not they were carried out; `LOST` ends the connection. */
  readonly outages: { readonly call: string; readonly status: number; readonly isDone?: boolean }[] = [];
  url = '';

  static async start(): Promise<StandInGitHub> {
    const gitHub = new StandInGitHub();
    await gitHub.listen();
    return gitHub;
  }

  async listen(lifetime: Lifetime = 'test'): Promise<void> {
    const listener: RequestListener = (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        const { method = '', headers: sent } = request;
        this.requests.push(`${method} ${request.url ?? ''} ${sent.authorization ?? ''}`);
        const [status, body, headers] = this.outage(request, text) ?? this.answer(request, text) ?? [404, {}];
        if (status === LOST) {
          request.socket.destroy();
          return;
        }
        const isRaw = Buffer.isBuffer(body) || typeof body === 'string';
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(isRaw ? body : JSON.stringify(body));
      });
    };
    this.url = (await startRawServer(listener, { lifetime })).url;
  }

  /** Forgets everything. */
  reset(): void {
    for (const list of [this.comments, this.requests, this.checks, this.pulls, this.outages]) list.splice(0);
    const { files, commits, tips, artifacts, approvals, starters, runs, changes } = this;
    for (const each of [files, commits, tips, artifacts, approvals, starters, runs, changes]) each.clear();
    this.archiveSize = undefined;
  }

  private outage(request: IncomingMessage, text: string): Answer {
    const at = this.outages.findIndex(({ call }) => `${request.method} ${request.url} `.startsWith(call));
    const [outage] = at < 0 ? [] : this.outages.splice(at, 1);
    if (outage?.isDone) this.answer(request, text);
    return outage && [outage.status, {}, { 'retry-after': '0' }];
  }

  private answer(request: IncomingMessage, text: string): Answer {
    const url = new URL(request.url ?? '', 'http://stand-in');
    const call = `${request.method ?? ''} ${decodeURIComponent(url.pathname).replace('/repos/acme/edge', '')}`;
    const content = text === '' ? {} : (JSON.parse(text) as Record<string, string>);
    return (
      this.answerAboutComments(call, url, content) ??
      this.answerAboutRevisions(call, url) ??
      this.answerAboutRuns(call, url, content)
    );
  }

  private answerAboutComments(call: string, url: URL, content: Record<string, string>): Answer {
    const page = Number(url.searchParams.get('page'));
    if (call === 'GET /issues/7/comments') return [200, this.comments.slice((page - 1) * 100, page * 100)];
    if (/^GET \/issues\/\d+\/comments$/.test(call)) return [200, []];
    if (call === 'POST /graphql') {
      const isAsked = content['query']?.includes('viewer { login }') === true;
      return [200, isAsked ? { data: { viewer: { login: OWN_LOGIN } } } : {}];
    }
    if (!/^(?:POST|PATCH) \/issues\//.test(call)) return undefined;
    const body = content['body'] ?? '';
    if (/^POST \/issues\/\d+\/comments$/.test(call)) {
      const comment = { id: this.comments.length + 1, body, user: { login: OWN_LOGIN } };
      this.comments.push(comment);
      return [201, comment];
    }
    const comment = this.comments.find(({ id }) => call === `PATCH /issues/comments/${id}`);
    if (!comment) return undefined;
    comment.body = body;
    return [200, comment];
  }

  private answerAboutRevisions(call: string, url: URL): Answer {
    if (call === 'GET /pulls') {
      const wanted = url.searchParams.get('head');
      const open = this.pulls.filter(({ merged }) => merged === undefined);
      return [200, open.filter(({ branch }) => `acme:${branch}` === wanted).map(pullToJson)];
    }
    const [, brought] = /^GET \/commits\/(\w+)\/pulls$/.exec(call) ?? [];
    if (brought !== undefined)
      return [200, this.pulls.filter(({ merged }) => merged === brought).map(pullToJson)];
    const pull = this.pulls.find(({ number }) => call === `GET /pulls/${number}`);
    if (pull) return [200, pullToJson(pull)];
    const [, head] = /^GET \/compare\/\w+\.\.\.(\w+)$/.exec(call) ?? [];
    if (head !== undefined) {
      const commits = this.changes.get(head) ?? [];
      const page = Number(url.searchParams.get('page'));
      return [200, { total_commits: commits.length, commits: commits.slice((page - 1) * 100, page * 100) }];
    }
    const tip = this.tips.get(/^GET \/git\/ref\/heads\/(.+)$/.exec(call)?.[1] ?? '');
    if (tip !== undefined) return [200, { object: { type: 'commit', sha: tip } }];
    const [, commit] = /^GET \/git\/commits\/(\w+)$/.exec(call) ?? [];
    if (commit !== undefined && this.commits.has(commit)) return [200, { sha: commit }];
    const [, path] = /^GET \/contents\/(.*)$/.exec(call) ?? [];
    if (path === undefined) return undefined;
    const place = `${url.searchParams.get('ref') ?? ''}:${path}`;
    const file = this.files.get(place);
    if (file !== undefined) return [200, file];
    const folder = path === '' ? place : `${place}/`;
    const below = [...this.files.keys()].filter((name) => name.startsWith(folder));
    return below.length === 0 ? undefined : [200, below.map((name) => ({ name: name.slice(folder.length) }))];
  }

  private answerAboutRuns(call: string, url: URL, content: Record<string, string>): Answer {
    const run = /^GET \/actions\/runs\/(\d+)\/artifacts$/.exec(call)?.[1];
    const artifacts = [...this.artifacts].map(([place, archive], at) => {
      const [of, name] = place.split('/');
      return { of, id: 100 + at, name, archive, size_in_bytes: this.archiveSize ?? archive.length };
    });
    const listed = artifacts.filter(({ of }) => of === run).map(({ archive: _archive, ...each }) => each);
    if (run !== undefined) return [200, { artifacts: listed }];
    const [, id, zip] = /^GET \/(?:actions\/artifacts|storage)\/(1\d\d)(\/zip)?$/.exec(call) ?? [];
    const found = artifacts.find((each) => String(each.id) === id);
    if (found) return zip ? [302, {}, { location: `${this.url}/storage/${found.id}` }] : [200, found.archive];
    const [, about, approvals] = /^GET \/actions\/runs\/(\d+)(\/approvals)?$/.exec(call) ?? [];
    if (about !== undefined && approvals) return [200, this.approvals.get(about) ?? []];
    if (about !== undefined) {
      const login = this.starters.get(about);
      const who = { actor: { login: OWN_LOGIN }, triggering_actor: { login: login ?? OWN_LOGIN } };
      return [200, { ...who, ...JUDGING_RUN, ...this.runs.get(about) }];
    }
    const [, on] = /^GET \/commits\/(\w+)\/check-runs$/.exec(call) ?? [];
    if (on !== undefined) {
      const asked = url.searchParams.get('check_name');
      // The newest first.
      const found = this.checks.filter(({ head_sha, name }) => head_sha === on && name === asked).reverse();
      const page = Number(url.searchParams.get('page'));
      return [200, { total_count: found.length, check_runs: found.slice((page - 1) * 100, page * 100) }];
    }
    if (call !== 'POST /check-runs') return undefined;
    this.checks.push(content as unknown as CheckRun);
    return [201, {}];
  }
}

/** A run of the workflow that judges, of the default branch. */
const JUDGING_RUN = {
  event: 'workflow_run',
  path: '.github/workflows/access-review.yml',
  head_repository: { full_name: 'acme/edge' },
};

const pullToJson = ({ number, head, into, base, repository = 'acme/edge', by = 'alice', merged }: Pull) => ({
  number,
  user: { login: by },
  merged_at: merged === undefined ? null : '2026-01-01T00:00:00Z',
  head: { sha: head, repo: { full_name: repository } },
  base: { ref: into, sha: base },
});

/** A zip archive, as an artifact is. */
export function zipOf(files: Readonly<Record<string, string>>, { isStored = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  for (const [name, content] of Object.entries(files)) {
    const packed = isStored ? Buffer.from(content) : deflateRawSync(content, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(isStored ? 0 : 8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(Buffer.byteLength(content), 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(Buffer.concat(parts).length, 10);
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, place, Buffer.from(name)]));
    parts.push(Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed);
  }
  const [content, directory] = [Buffer.concat(parts), Buffer.concat(entries)];
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(content.length, 16);
  return Buffer.concat([content, directory, end]);
}
