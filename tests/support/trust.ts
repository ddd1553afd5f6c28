import tls from 'node:tls';
import { deferCleanup, type Lifetime } from './cleanup';

const { createSecureContext } = tls;

/**
 * Has every TLS client of this process trust one certificate and no other. NODE_EXTRA_CA_CERTS, with which users do this,
 * is read only as a process starts.
 */
export function trust(cert: string, lifetime: Lifetime): void {
  const spy = jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => createSecureContext({ ca: cert, ...options }));
  deferCleanup(() => {
    spy.mockRestore();
  }, lifetime);
}
