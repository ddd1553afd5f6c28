export interface CorpusEntry {
  readonly label: string;
  /** The header as the client sends it; null for a client that sends none. */
  readonly userAgent: string | null;
  /** How much its loss matters; absent for a client that the user listed for reasons of their own. */
  readonly group?: 'browser' | 'probe' | 'search' | 'other';
}

const CLIENTS: Readonly<Record<string, string | null>> = {
  'no header': null,
  'Chrome, Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Chrome, Android':
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  'Edge, Windows':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  'Firefox, Linux': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'Safari, macOS':
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Safari, iPhone':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  curl: 'curl/8.11.0',
  Wget: 'Wget/1.24.5',
  'Python requests': 'python-requests/2.32.3',
  Go: 'Go-http-client/2.0',
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  Bingbot: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  AhrefsBot: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Uptime monitor': 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  'Kubernetes probe': 'kube-probe/1.31',
  'Load balancer probe': 'ELB-HealthChecker/2.0',
  'Scanner: sqlmap': 'sqlmap/1.8.11#stable (https://sqlmap.org)',
};

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
export const CORPUS: readonly CorpusEntry[] = Object.entries(CLIENTS).map(([label, userAgent]) => ({
  ...{ label, userAgent, group: groupOf(userAgent) },
}));
