/** A client of the decision table. */
export interface CorpusEntry {
  readonly label: string;
  /** The header as the client sends it; null for a client that sends none. */
  readonly userAgent: string | null;
  /** How much its loss matters; absent for a client that the user listed for reasons of their own. */
  readonly group?: 'browser' | 'probe' | 'search' | 'other';
}

/** Clients as seen in access logs: one of each kind that filters are usually written for. */
export const CORPUS: readonly CorpusEntry[] = [
  { label: 'no header', group: 'other', userAgent: null },
  {
    label: 'Chrome, Windows',
    group: 'browser',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  },
  {
    label: 'Chrome, Android',
    group: 'browser',
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
  },
  {
    label: 'Headless Chrome',
    group: 'other',
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36',
  },
  {
    label: 'Edge, Windows',
    group: 'browser',
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  },
  {
    label: 'Firefox, Linux',
    group: 'browser',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  },
  {
    label: 'Safari, macOS',
    group: 'browser',
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  },
  {
    label: 'Safari, iPhone',
    group: 'browser',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  },
  { label: 'curl', group: 'other', userAgent: 'curl/8.11.0' },
  { label: 'Wget', group: 'other', userAgent: 'Wget/1.24.5' },
  { label: 'Python requests', group: 'other', userAgent: 'python-requests/2.32.3' },
  { label: 'Python urllib', group: 'other', userAgent: 'Python-urllib/3.12' },
  { label: 'Go', group: 'other', userAgent: 'Go-http-client/2.0' },
  { label: 'Java', group: 'other', userAgent: 'Java/21.0.5' },
  { label: 'okhttp', group: 'other', userAgent: 'okhttp/4.12.0' },
  { label: 'Node.js fetch', group: 'other', userAgent: 'node' },
  { label: 'axios', group: 'other', userAgent: 'axios/1.7.9' },
  { label: 'Postman', group: 'other', userAgent: 'PostmanRuntime/7.43.0' },
  { label: 'Scrapy', group: 'other', userAgent: 'Scrapy/2.12.0 (+https://scrapy.org)' },
  {
    label: 'Googlebot',
    group: 'search',
    userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  },
  {
    label: 'Bingbot',
    group: 'search',
    userAgent: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  },
  {
    label: 'AhrefsBot',
    group: 'other',
    userAgent: 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  },
  {
    label: 'SemrushBot',
    group: 'other',
    userAgent: 'Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)',
  },
  {
    label: 'Uptime monitor',
    group: 'probe',
    userAgent: 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  },
  { label: 'Kubernetes probe', group: 'probe', userAgent: 'kube-probe/1.31' },
  { label: 'Load balancer probe', group: 'probe', userAgent: 'ELB-HealthChecker/2.0' },
  { label: 'Scanner: sqlmap', group: 'other', userAgent: 'sqlmap/1.8.11#stable (https://sqlmap.org)' },
  {
    label: 'Scanner: Nikto',
    group: 'other',
    userAgent: 'Mozilla/5.00 (Nikto/2.5.0) (Evasions:None) (Test:Port Check)',
  },
];
