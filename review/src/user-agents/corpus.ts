export interface CorpusEntry {
  readonly label: string;
  /** The header as the client sends it; null for a client that sends none. */
  readonly userAgent: string | null;
  /** How much its loss matters; absent for a client that the user listed for reasons of their own. */
  readonly group?: 'browser' | 'probe' | 'search' | 'other';
}

const CLIENTS: readonly Omit<CorpusEntry, 'group'>[] = [
  { label: 'no header', userAgent: null },
  {
    label: 'Chrome, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  },
  {
    label: 'Chrome, Android',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  },
  {
    label: 'Edge, Windows',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  },
  {
    label: 'Firefox, Linux',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  },
  {
    label: 'Safari, macOS',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  },
  {
    label: 'Safari, iPhone',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  },
  { label: 'curl', userAgent: 'curl/8.11.0' },
  { label: 'Wget', userAgent: 'Wget/1.24.5' },
  { label: 'Python requests', userAgent: 'python-requests/2.32.3' },
  { label: 'Go', userAgent: 'Go-http-client/2.0' },
  {
    label: 'Googlebot',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  },
  {
    label: 'Bingbot',
    userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  },
  {
    label: 'AhrefsBot',
    userAgent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  },
  {
    label: 'Uptime monitor',
    userAgent: 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  },
  { label: 'Kubernetes probe', userAgent: 'kube-probe/1.31' },
  { label: 'Load balancer probe', userAgent: 'ELB-HealthChecker/2.0' },
  { label: 'Scanner: sqlmap', userAgent: 'sqlmap/1.8.11#stable (https://sqlmap.org)' },
];

const SEARCH = /Googlebot|bingbot/i;
const PROBE = /kube-probe|ELB-HealthChecker|UptimeRobot/i;
const BROWSER =
  /^Mozilla\/5\.0 \((?!compatible)[^)]*\) (?!.*(?:bot|crawl|spider|headless))(?:AppleWebKit|Gecko)\//i;

/** The group of a client that was seen in a log, by what it says it is. */
export function groupOf(userAgent: string | null): NonNullable<CorpusEntry['group']> {
  if (userAgent === null) return 'other';
  if (SEARCH.test(userAgent)) return 'search';
  if (PROBE.test(userAgent)) return 'probe';
  return BROWSER.test(userAgent) ? 'browser' : 'other';
}

/** Clients as seen in access logs: every kind of browser, search engine and probe, as losing one hurts at once, and some tools. */
export const CORPUS: readonly CorpusEntry[] = CLIENTS.map((client) => ({
  ...client,
  group: groupOf(client.userAgent),
}));
