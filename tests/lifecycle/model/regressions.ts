import type { Switches } from '../../../emulator/src/index';
import type { Step } from './steps';

/** Sequences that the model has found to fail, kept as it printed them. */
export const regressions: readonly {
  readonly why: string;
  readonly switches: Partial<Switches>;
  readonly steps: readonly Step[];
}[] = [
  {
    why: 'a delete of a module that a proxy answered with 404 counted as done',
    switches: {},
    steps: [
      { do: 'declare', slot: 'filter', variant: 0 },
      { do: 'declare', slot: 'rule', variant: 0 },
      { do: 'up', faults: [] },
      { do: 'destroy', faults: [{ method: 'DELETE', kind: '404 with HTML', nth: 2, times: 50 }] },
      { do: 'declare', slot: 'filter', variant: 1 },
    ],
  },
  {
    why: 'after a rename that another failure interrupted, the next up deleted the live module',
    switches: {},
    steps: [
      { do: 'declare', slot: 'policy', variant: 0 },
      { do: 'up', faults: [] },
      { do: 'rename', slot: 'policy' },
      { do: 'deploy', slot: 'rule', variant: 0, faults: [{ method: 'POST', kind: 403, nth: 1, times: 1 }] },
    ],
  },
];
