import { tryCells } from './trials';

// Everything in clear; matrix-https.test.ts and matrix-proxy.test.ts try again what TLS or a proxy could change.
tryCells('http');
