import { cellsOf } from './matrix';
import { Trials } from './trials';

let trials: Trials;

beforeAll(async () => {
  trials = await Trials.start('proxy');
});

test.each(cellsOf('proxy'))('%s, at %s', (_fault, _operation, cell) => trials.run(cell));
