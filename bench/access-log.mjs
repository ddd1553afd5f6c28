// `node bench/access-log.mjs [LINES] > access.log`: an access log in the Combined Log Format, by default of a million lines; the same
// one in every run.
import { pathToFileURL } from 'node:url';

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'curl/8.11.0',
  'kube-probe/1.31',
  '-',
];
const START_MS = Date.UTC(2026, 5, 1);
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param {number} ms */
function time(ms) {
  const [date = '', clock = ''] = new Date(ms).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${clock.slice(0, 8)} +0000`;
}

/**
 * A line: a few clients make most of the requests, as in real logs, and some 10,000 make the others.
 *
 * @param {number} index
 */
export function line(index) {
  // A multiplicative hash scatters the clients, the same way in every run.
  const hash = Math.imul(index + 1, 2_654_435_761) >>> 0;
  const client = index % 4 === 0 ? hash % 40_000 : hash % 400;
  const address = `198.${18 + (client >>> 15)}.${(client >>> 7) & 255}.${(client & 127) + 1}`;
  const agent = AGENTS[(client + (hash >>> 28)) % AGENTS.length];
  const at = time(START_MS + index * 200);
  return `${address} - - [${at}] "GET /items/${hash % 10_000}?page=${index % 7} HTTP/1.1" 200 ${hash % 50_000} "https://www.example.com/" "${agent}"\n`;
}

/** @param {number} lines */
export function* accessLog(lines) {
  for (let begin = 0; begin < lines; begin += 10_000)
    yield Array.from({ length: Math.min(10_000, lines - begin) }, (_, at) => line(begin + at)).join('');
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const lines = Number(process.argv[2] ?? '1000000');
  for (const part of accessLog(lines))
    if (!process.stdout.write(part)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}
