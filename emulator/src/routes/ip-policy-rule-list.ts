import type { Answer } from '../answer';
import type { Call } from '../endpoint';
import type { Page } from '../store/rule-store';
import type { Switches } from '../switches';
import { extraFields, invalid } from './fields';
import { ruleToWire } from './ip-policy-rule-wire';

const DEFAULT_PAGE_SIZE = 100;

/** Marks a cursor for an empty page; no identifier contains it, and it needs no escaping in a query. */
const EMPTY_PAGE_MARK = '!';

interface Cursor {
  /** The page begins after this rule, or else at the offset. */
  readonly afterId?: string;
  readonly offset: number;
  readonly isEmptyPage: boolean;
}

/** `before_id` continues after a rule in the list's order, `offset` after a number of rules, `limit` shortens the page. */
export function listRules(call: Call): Answer {
  const { service, account } = call;
  const { switches } = service;
  const limit = readLimit(call);
  const cursor = readCursor(call);
  const nowMs = service.nowMs();
  const visibleUntilMs = switches.listLagMs === 0 ? Infinity : nowMs - switches.listLagMs;
  const page = account.rules.page({
    afterId: cursor?.afterId,
    offset: cursor?.offset ?? 0,
    limit,
    isNewestFirst: switches.listOrder === 'newest-first',
    isVisible: (rule, deletedAtMs = Infinity) =>
      rule.createdAtMs <= visibleUntilMs && deletedAtMs > nowMs - switches.deletedListedMs,
  });
  const next = nextCursor(page, cursor, switches);
  const shown = cursor?.isEmptyPage === true ? [] : page.rules;
  return {
    status: 200,
    body: {
      ip_policy_rules: shown.map((rule) => ruleToWire(service, rule)),
      uri: `${service.url}/ip_policy_rules`,
      next_page_uri: next === undefined ? null : pageUri(call, next, limit),
      ...extraFields(service),
    },
  };
}

function nextCursor(
  page: Page,
  cursor: Cursor | undefined,
  { emptyPage, listPages }: Switches,
): string | undefined {
  const last = page.rules.at(-1);
  if (last === undefined) return undefined;
  const begins = (offset: number, afterId: string): string =>
    listPages === 'offset' ? `offset=${offset}` : `before_id=${afterId}`;
  const offset = cursor?.offset ?? 0;
  if (cursor?.isEmptyPage === true) return begins(offset, cursor.afterId ?? '');
  const following = begins(offset + page.rules.length, last.id);
  if (cursor === undefined && emptyPage === 'after-first') return `${following}${EMPTY_PAGE_MARK}`;
  return page.hasMore ? following : undefined;
}

function pageUri(call: Call, cursor: string, limit: number): string {
  const { url, switches } = call.service;
  const absolute = `${url}/ip_policy_rules?${cursor}&limit=${limit}`;
  return switches.nextPageUri === 'absolute' ? absolute : absolute.slice(new URL(url).origin.length);
}

function readCursor(call: Call): Cursor | undefined {
  const { before_id: beforeId, offset } = call.query;
  const text = beforeId ?? offset;
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw invalid('before_id and offset must be given once.');
  const isEmptyPage = text.endsWith(EMPTY_PAGE_MARK);
  const place = isEmptyPage ? text.slice(0, -EMPTY_PAGE_MARK.length) : text;
  if (beforeId === undefined) {
    if (!/^\d{1,7}$/.test(place)) throw invalid('offset must be a number of rules.');
    return { offset: Number(place), isEmptyPage };
  }
  if (!call.account.rules.knowsCursor(place)) throw invalid('before_id is not the identifier of a rule.');
  return { afterId: place, offset: 0, isEmptyPage };
}

function readLimit(call: Call): number {
  const { pageSize } = call.service.switches;
  const maximum = Math.max(DEFAULT_PAGE_SIZE, pageSize);
  const limit = call.query['limit'];
  if (limit === undefined) return pageSize;
  if (typeof limit === 'string' && /^[1-9]\d{0,4}$/.test(limit) && Number(limit) <= maximum) {
    return Number(limit);
  }
  throw invalid(`limit must be a whole number from 1 to ${maximum}.`);
}
