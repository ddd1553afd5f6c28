import type { ConnectionReason } from '../../../provider/src/api/errors';
import { reasonOfNoResponse } from '../../../provider/src/api/answer-policy';

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
