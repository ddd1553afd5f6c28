import { cellsOf } from './matrix';
import { Trials } from './trials';

let trials: Trials;

beforeAll(async () => {
  trials = await Trials.start('http');
});

// Everything in clear; matrix-https.test.ts and matrix-proxy.test.ts try again what TLS or a proxy could change.
test.each(cellsOf('http'))('%s, at %s', (_fault, _operation, cell) => trials.run(cell));
