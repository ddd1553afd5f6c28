import type { Answer } from '../answer';
import { randomIdentifier } from '../identifiers';
import type { PagingFault } from './fault';

/** The list answer with a next_page_uri that a careful client must not follow, or not forever. */
export function attackPaging(
  answer: Answer,
  fault: PagingFault,
  given: { url: string; sentUrl: string },
): Answer {
  const list = `${given.url}/ip_policy_rules`;
  const page = typeof answer.body === 'object' && answer.status === 200 ? answer.body : emptyPage(list);
  const next_page_uri = fault.url ?? nextPageUri(fault.variant, { ...given, list });
  return { status: 200, body: { ...page, next_page_uri } };
}

const emptyPage = (list: string): object => ({ ip_policy_rules: [], uri: list });

function nextPageUri(
  variant: PagingFault['variant'],
  given: { url: string; sentUrl: string; list: string },
): string {
  const list = new URL(given.list);
  switch (variant) {
    case 'loop':
      return new URL(given.sentUrl, list.origin).href;
    case 'endless':
      return `${given.list}?before_id=${randomIdentifier('ipr')}&limit=100`;
    case 'other-host':
      list.hostname = list.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
      return list.href;
    case 'other-port':
      list.port = list.port === '1' ? '2' : '1';
      return list.href;
    case 'other-scheme':
      return given.list.replace(/^https?:/, (scheme) => (scheme === 'http:' ? 'https:' : 'http:'));
    case 'user-info':
      list.username = 'someone';
      list.password = 'else';
      return list.href;
    case 'protocol-relative':
      return `//localhost:1${list.pathname}`;
    case 'outside-base-path':
      return `${list.origin}/outside${list.pathname}`;
  }
}
