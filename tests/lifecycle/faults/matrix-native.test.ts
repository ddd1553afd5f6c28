import { onRules } from './fault-row';
import { cellsOf } from './matrix';
import { Trials } from './trials';

let trials: Trials;

beforeAll(async () => {
  trials = await Trials.start('http', 'native');
});

// The core is the same in both hosts, and `npm run test:native` tries all of it: here what crosses the plugin's adapter.
const cells = cellsOf('http').filter(
  ([, , { operation }]) => onRules(operation) && operation.verb === 'create',
);

test.each(cells)('with the plugin: %s, at %s', (_fault, _operation, cell) => trials.run(cell));
