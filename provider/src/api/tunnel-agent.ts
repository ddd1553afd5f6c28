import http from 'node:http';
import https from 'node:https';
import { unescape } from 'node:querystring';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';

type Done = (error: Error | null, socket?: Duplex) => void;

/** Holds whatever NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS say: otherwise the key could go to anybody, or unencrypted. */
export const tlsSafety = { rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const;

const tunnelError = (): Error => Object.assign(new Error('no tunnel'), { code: 'ERR_PROXY_TUNNEL' });

function credentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/**
 * TLS connections through a CONNECT tunnel of a proxy. The agents of the HTTP library keep no connections alive, and cannot
 * tell an answer of the proxy from one of the service: a 404 of the proxy must never pass for "gone".
 */
export class TunnelAgent extends https.Agent {
  constructor(
    private readonly proxy: URL,
    private readonly connectTimeoutMs: number,
    options: https.AgentOptions,
  ) {
    super(options);
  }

  override createConnection(options: https.RequestOptions & tls.ConnectionOptions, done: Done): undefined {
    const request = this.requestTunnel(String(options.host), String(options.port));
    request.once('timeout', () => request.destroy(tunnelError()));
    request.once('error', () => {
      done(tunnelError());
    });
    request.once('connect', (answer, socket) => {
      socket.setTimeout(0);
      if (answer.statusCode === 200) {
        done(null, tls.connect({ ...options, socket }));
      } else {
        socket.destroy();
        done(tunnelError());
      }
    });
    request.end();
  }

  private requestTunnel(host: string, port: string): http.ClientRequest {
    const { hostname, protocol, port: proxyPort } = this.proxy;
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const options = {
      host: hostname.replace(/^\[|\]$/g, ''),
      method: 'CONNECT',
      path: target,
      headers: { Host: target, ...credentials(this.proxy) },
      agent: false,
      timeout: this.connectTimeoutMs,
    };
    return protocol === 'https:'
      ? https.request({ ...options, port: proxyPort || 443, ...tlsSafety })
      : http.request({ ...options, port: proxyPort || 80 });
  }
}
