import type { Answer } from '../answer';
import type { Call } from '../endpoint';
import type { Page } from '../store/rule-store';
import { extraFields, invalid } from './fields';
import { ruleToWire } from './ip-policy-rule-wire';

const DEFAULT_PAGE_SIZE = 100;

/** Marks a cursor for an empty page; no identifier contains it, and it needs no escaping in a query. */
const EMPTY_PAGE_MARK = '~';

interface Cursor {
  readonly afterId: string;
  readonly isEmptyPage: boolean;
}

/** GET /ip_policy_rules: `before_id` continues after a rule in the list's order, `limit` shortens the page. */
export function listRules(call: Call): Answer {
  const { service, account } = call;
  const { switches } = service;
  const limit = readLimit(call);
  const cursor = readCursor(call);
  const visibleUntilMs = switches.listLagMs === 0 ? Infinity : service.nowMs() - switches.listLagMs;
  const page = account.rules.page({
    afterId: cursor?.afterId,
    limit,
    isNewestFirst: switches.listOrder === 'newest-first',
    isVisible: (rule) => rule.createdAtMs <= visibleUntilMs,
  });
  const next = nextCursor(page, cursor, switches.emptyPage === 'after-first');
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

function nextCursor(page: Page, cursor: Cursor | undefined, isEmptyPageDue: boolean): string | undefined {
  const lastId = page.rules.at(-1)?.id;
  if (lastId === undefined) return undefined;
  if (cursor?.isEmptyPage === true) return cursor.afterId;
  if (cursor === undefined && isEmptyPageDue) return `${lastId}${EMPTY_PAGE_MARK}`;
  return page.hasMore ? lastId : undefined;
}

function pageUri(call: Call, cursor: string, limit: number): string {
  const { url, switches } = call.service;
  const absolute = `${url}/ip_policy_rules?before_id=${cursor}&limit=${limit}`;
  return switches.nextPageUri === 'absolute' ? absolute : absolute.slice(new URL(url).origin.length);
}

function readCursor(call: Call): Cursor | undefined {
  const text = call.query['before_id'];
  if (text === undefined) return undefined;
  if (typeof text !== 'string') throw invalid('before_id must be given once.');
  const isEmptyPage = text.endsWith(EMPTY_PAGE_MARK);
  const afterId = isEmptyPage ? text.slice(0, -EMPTY_PAGE_MARK.length) : text;
  if (!call.account.rules.knowsCursor(afterId)) throw invalid('before_id is not the identifier of a rule.');
  return { afterId, isEmptyPage };
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
