import type { ConnectionReason } from './errors';

/** What is known when no complete answer came. */
interface Silence {
  readonly code: string | undefined;
  /** Whether the connection stood, so that bytes of the request may have left. */
  readonly wasSent: boolean;
  readonly isTimeout: boolean;
  readonly isTooLarge: boolean;
}

const byCode: readonly (readonly [RegExp, ConnectionReason])[] = [
  [/^ECONNREFUSED$/, 'refused'],
  [/^(ENOTFOUND|EAI_)/, 'dns'],
  [/^E(HOST|NET)(UNREACH|DOWN)$|^EADDRNOTAVAIL$/, 'unreachable'],
  [/^ERR_PROXY_TUNNEL$/, 'proxy'],
  [/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|HOSTNAME_)/, 'tls'],
  [/^HPE_/, 'protocol'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'reset'],
];

/** Names the reason for a missing answer. */
export const reasonOfSilence = ({ code, wasSent, isTimeout, isTooLarge }: Silence): ConnectionReason => {
  if (isTooLarge) return 'body-too-large';
  if (isTimeout || code === 'ETIMEDOUT') return wasSent ? 'timeout' : 'connect-timeout';
  const known = byCode.find(([pattern]) => pattern.test(code ?? ''))?.[1];
  // A connection that breaks before it stands breaks in the TLS handshake: plain ones are refused instead.
  if (known === 'reset' && !wasSent) return 'tls';
  return known ?? (wasSent ? 'reset' : 'other');
};
