import type { ConnectionReason } from '../../../provider/src/api/errors';
import { parseRetryAfter, reasonOfNoResponse } from '../../../provider/src/api/answer-policy';

test.each<[string | undefined, boolean, ConnectionReason]>([
  ['ECONNREFUSED', false, 'not-reached'],
  ['ENOTFOUND', false, 'not-reached'],
  ['EHOSTUNREACH', false, 'not-reached'],
  ['ETIMEDOUT', false, 'connect-timeout'],
  ['ETIMEDOUT', true, 'timeout'],
  ['ERR_PROXY_TUNNEL', false, 'proxy'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false, 'tls'],
  ['SELF_SIGNED_CERT_IN_CHAIN', false, 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false, 'tls'],
  ['CERT_HAS_EXPIRED', false, 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false, 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', false, 'tls'],
  ['EPROTO', false, 'tls'],
  ['ECONNRESET', false, 'tls'],
  ['ECONNRESET', true, 'broken'],
  ['HPE_HEADER_OVERFLOW', true, 'broken'],
  [undefined, true, 'broken'],
  [undefined, false, 'not-reached'],
])('%s, sent %s: %s', (code, wasSent, reason) => {
  expect(reasonOfNoResponse({ code, wasSent, isTimeout: false, isTooLarge: false })).toBe(reason);
});

test('the end of the attempt wins over what the connection says, and its size over both', () => {
  const missing = { code: 'ECONNRESET', isTooLarge: false, isTimeout: true };
  expect(reasonOfNoResponse({ ...missing, wasSent: true })).toBe('timeout');
  expect(reasonOfNoResponse({ ...missing, wasSent: false })).toBe('connect-timeout');
  expect(reasonOfNoResponse({ ...missing, wasSent: true, isTooLarge: true })).toBe('body-too-large');
});

const now = Date.UTC(2030, 0, 1, 12, 0, 0);
const httpDate = (epochMs: number): string => new Date(epochMs).toUTCString();

test.each([
  ['seconds', '7', 7000],
  ['seconds with blanks around', ' 7 ', 7000],
  ['leading zeros', '007', 7000],
  ['a date', httpDate(now + 30_000), 30_000],
  ['a huge number', '1000000000', 1e12],
  ['a number that setTimeout cannot hold', '2147483648', 2_147_483_648_000],
  ['a number beyond all dates', '9'.repeat(400), 1e13],
])('Retry-After: %s is a wait', (_what, header, waitMs) => {
  expect(parseRetryAfter(header, now)).toBe(waitMs);
});

test.each([
  ['absent', undefined],
  ['empty', ''],
  ['blank', '   '],
  ['zero', '0'],
  ['negative', '-5'],
  ['signed', '+5'],
  ['fractional', '1.5'],
  ['exponential', '1e3'],
  ['hexadecimal', '0x10'],
  ['a word', 'soon'],
  ['digits and a word', '5 seconds'],
  ['two values in one', '5, 10'],
  ['digits of another script', '٣'],
  ['a past date', httpDate(now - 1000)],
  ['the present second', httpDate(now)],
  ['an ISO date', '2031-01-01T00:00:00Z'],
  ['a date in an obsolete form', 'Tuesday, 01-Jan-30 12:00:09 GMT'],
  ['a date and a tail', `${httpDate(now + 30_000)} or so`],
  ['a head and a date', `at ${httpDate(now + 30_000)}`],
  ['a day that does not exist', 'Tue, 99 Jan 2030 12:00:00 GMT'],
])('Retry-After: %s is no wait', (_what, header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined();
});
