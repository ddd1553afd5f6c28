// The clients of access logs, below the policy, edge or route that the log is about.
import { count, momentInWords, withThousands } from 'pulumi-edge-policy-review/lookup';
import { NAMES } from '../src/page/access-side';
import type { PageClients } from '../src/page/page-data';
import { doubt, foreignText, h, listOf, sentence, tableOf } from './dom';
import type { Page, Subject } from './page';

/** What an access log says of it, on each side. */
export function clientsOf({ content, sides }: Page, { kind, subject }: Subject): HTMLElement[] {
  const ofSubject = (content.clients ?? []).filter((each) => each.kind === kind && each.subject === subject);
  return ofSubject.map((clients) => {
    const side = sides.length > 1 ? ` ${NAMES[clients.when].toLowerCase()}` : '';
    return h('div.clients', h('h4', `Clients of the log${side}`), clientsInWords(clients));
  });
}

function clientsInWords({ tallies, largest, problems, unread }: PageClients): HTMLElement[] {
  const amounts = (['let-in', 'kept-out', 'undecided'] as const).map((outcome) => {
    const { clients, requests } = tallies[outcome];
    const name = outcome === 'undecided' ? 'not decided' : outcome.replace('-', ' ');
    return [...count(clients, 'client'), ` ${name} (`, ...count(requests, 'request'), ')'];
  });
  const rows = largest.map(({ network, userAgent, requests, lastSeenMs, because }) =>
    h(
      'tr',
      h('th', { scope: 'row' }, foreignText(network)),
      h('td', userAgent === null ? '(no header)' : foreignText(userAgent ?? '')),
      h('td', withThousands(requests)),
      h('td', lastSeenMs === undefined ? '' : momentInWords(lastSeenMs)),
      h('td', sentence(because)),
    ),
  );
  const titles = ['Client', 'User agent', 'Requests', 'Last seen', 'Why it does not get in'];
  return [
    listOf('ul.plain', amounts.map(sentence)),
    ...problems.map(doubt),
    ...unread.map((file) => h('p.doubt', sentence(file))),
    ...(rows.length > 0 ? [tableOf('Clients of the log', titles, h('tbody', rows))] : []),
  ];
}
