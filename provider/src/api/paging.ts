import type { BaseUrl } from './base-url';
import { isBelow } from './transport';
import { AnswerError } from './errors';
import type { RulePage } from './decode';

const LIST_PATH = '/ip_policy_rules';
const LONGEST_URI = 8192;
const MOST_RULES = 1_000_000;
const MOST_IDLE_PAGES = 100;

export type FetchPage = (query: string) => Promise<RulePage>;

const misfit = (problem: string): AnswerError =>
  new AnswerError({ method: 'GET', path: LIST_PATH, status: 200, problem });

const parse = (text: string, base: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;

/**
 * The query of the next page, which must lead to the list itself below the base URL, as the key must go nowhere else. A path
 * that begins with a slash may be relative to the origin or, as all paths of the document are, to the base URL.
 */
export function nextQuery(base: BaseUrl, query: string, nextPageUri: string): string {
  if (nextPageUri === '' || nextPageUri.length > LONGEST_URI)
    throw misfit('its next_page_uri is not a usable URI');
  const listUrl = new URL(base.href + LIST_PATH);
  const isBasePath = /^\/(?![/\\])/.test(nextPageUri) && !nextPageUri.startsWith(`${listUrl.pathname}?`);
  const url = parse(isBasePath ? base.href + nextPageUri : nextPageUri, listUrl.href + query);
  if (url === undefined || !isBelow(base, url) || url.pathname !== listUrl.pathname) {
    throw misfit('its next_page_uri points outside the list of the base URL');
  }
  return url.search;
}

/** All pages, in order, up to the last one. A loop or an endless list is an error. */
export async function* pages(base: BaseUrl, fetchPage: FetchPage): AsyncGenerator<RulePage, void> {
  const visited = new Set<string>();
  const known = new Set<string>();
  let idlePages = 0;
  for (let query = ''; ;) {
    visited.add(query);
    const page = await fetchPage(query);
    const knownBefore = known.size;
    for (const rule of page.rules) known.add(rule.id);
    idlePages = known.size > knownBefore ? 0 : idlePages + 1;
    yield page;
    if (page.nextPageUri === null) return;
    query = nextQuery(base, query, page.nextPageUri);
    if (visited.has(query)) throw misfit('its next_page_uri points back to a page already read');
    if (idlePages >= MOST_IDLE_PAGES || known.size > MOST_RULES) throw misfit('the list does not end');
  }
}
