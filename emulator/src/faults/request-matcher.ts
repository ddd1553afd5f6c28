import type { RequestTarget } from './fault';

/** Decides for each request whether the target matches it, and counts the matches. */
export class RequestMatcher {
  private matched = 0;
  private readonly first: number;
  private readonly last: number;
  private readonly pattern: RegExp | undefined;

  constructor(
    private readonly target: RequestTarget,
    times: number | 'always',
  ) {
    this.first = target.nth ?? 1;
    this.last = times === 'always' ? Infinity : this.first + times - 1;
    this.pattern = pathPattern(target.path);
  }

  /** To be called once per request, as it counts. */
  isHit(method: string, path: string): boolean {
    if (this.target.method !== undefined && this.target.method.toUpperCase() !== method) return false;
    if (this.pattern !== undefined && !this.pattern.test(path)) return false;
    this.matched += 1;
    return this.matched >= this.first && this.matched <= this.last;
  }
}

function pathPattern(path: string | undefined): RegExp | undefined {
  if (path === undefined) return undefined;
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{[^}]*\}/g, '[^/]+')}$`);
}
