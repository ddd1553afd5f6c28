import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferCleanup } from '../../support/cleanup';

/** Another origin: whatever it hears is a breach. */
export interface OtherOrigin {
  readonly url: string;
  readonly requests: () => number;
}

/** Lives as long as the test file. */
export async function startOtherOrigin(): Promise<OtherOrigin> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  deferCleanup(() => {
    server.closeAllConnections();
    server.close();
  }, 'file');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}
