import { cellsOf } from './matrix';
import { Trials } from './trials';

let trials: Trials;

beforeAll(async () => {
  trials = await Trials.start('https');
});

test.each(cellsOf('https'))('%s, at %s', (_fault, _operation, cell) => trials.run(cell));
