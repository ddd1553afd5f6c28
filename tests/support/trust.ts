import tls from 'node:tls';
import { deferCleanup, type Lifetime } from './cleanup';

const { createSecureContext } = tls;

/**
 * Lets every TLS client of this process trust one certificate and no other. NODE_EXTRA_CA_CERTS, which users set for this, is
 * only read as a process starts.
 */
export function trust(cert: string, lifetime: Lifetime): void {
  const spy = jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => createSecureContext({ ca: cert, ...options }));
  deferCleanup(() => {
    spy.mockRestore();
  }, lifetime);
}
