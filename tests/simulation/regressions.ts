import type { Life } from './life';

const beginning = { switches: {}, skewMs: 0, crowd: 0, settings: {} };
const calm = { seed: 1, latencyMs: 80, strikes: [] };

/** Lives that have failed, by what was wrong, as `npm run simulate` printed them. */
export const regressions: readonly { readonly why: string; readonly life: Life }[] = [
  {
    why: 'a delete of a module that a proxy answered with 404 counted as done',
    life: {
      ...beginning,
      seed: 1,
      steps: [
        { do: 'edit', edit: { kind: 'add filter', which: 0, how: 1 } },
        { do: 'edit', edit: { kind: 'add rule', which: 0, how: 1 } },
        { do: 'up', weather: calm, parallel: 16 },
        {
          do: 'destroy',
          weather: { ...calm, strikes: [{ method: 'DELETE', kind: '404 with HTML', nth: 2, times: 50 }] },
          parallel: 1,
        },
        { do: 'edit', edit: { kind: 'change', which: 0, how: 2 } },
      ],
    },
  },
  {
    why: 'after a rename that another failure interrupted, the next up deleted the live module',
    life: {
      ...beginning,
      seed: 2,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 0, how: 1 } },
        { do: 'up', weather: calm, parallel: 16 },
        { do: 'edit', edit: { kind: 'rename', which: 0, how: 0 } },
        { do: 'edit', edit: { kind: 'add rule', which: 0, how: 1 } },
        {
          do: 'up',
          weather: { ...calm, strikes: [{ method: 'POST', kind: '403', nth: 1, times: 1 }] },
          parallel: 16,
        },
      ],
    },
  },
  {
    why: 'modules that change places through a list deleted each other’s live content',
    life: {
      ...beginning,
      seed: 54,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 0, how: 1 } },
        { do: 'edit', edit: { kind: 'add module', which: 0, how: 3 } },
        { do: 'up', weather: calm, parallel: 16 },
        { do: 'edit', edit: { kind: 'rotate modules', which: 0, how: 0 } },
        { do: 'up', weather: { ...calm, latencyMs: 1_000 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'after a destroy whose answers were lost, the next up took a deleted module for there',
    life: {
      ...beginning,
      seed: 1096,
      steps: [
        { do: 'edit', edit: { kind: 'add filter', which: 292, how: 222 } },
        { do: 'up', weather: calm, parallel: 16 },
        {
          do: 'destroy',
          weather: { ...calm, strikes: [{ method: 'DELETE', kind: 'cut', nth: 1, times: 6 }] },
          parallel: 16,
        },
        { do: 'up', weather: calm, parallel: 16 },
      ],
    },
  },
  {
    why: 'a renamed set whose lost creates were taken over later lost the rules to the delete of the old name',
    life: {
      ...beginning,
      seed: 357,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 262, how: 464 } },
        { do: 'up', weather: calm, parallel: 16 },
        { do: 'edit', edit: { kind: 'rename', which: 449, how: 710 } },
        {
          do: 'up',
          weather: {
            seed: 728,
            latencyMs: 80,
            strikes: [
              { method: 'POST', kind: 'cut', nth: 1, times: 2 },
              { method: 'LIST', kind: 'cut', nth: 1, times: 4 },
            ],
          },
          parallel: 16,
        },
      ],
    },
  },
  {
    why: 'a single rule that moves to the network of a rule which another resource replaces left the network uncovered',
    life: {
      ...beginning,
      seed: 1910,
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 15, how: 506 } },
        { do: 'edit', edit: { kind: 'add rule', which: 679, how: 795 } },
        { do: 'up', weather: { ...calm, seed: 607 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'gather rules', which: 634, how: 388 } },
        { do: 'edit', edit: { kind: 'release rule', which: 879, how: 509 } },
        { do: 'edit', edit: { kind: 'add rule', which: 912, how: 721 } },
      ],
    },
  },
  {
    why: 'a set took over the rule that a resource was to move away, and no later up went on',
    life: {
      ...beginning,
      seed: 1626,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 893, how: 882 } },
        { do: 'edit', edit: { kind: 'add rule', which: 580, how: 45 } },
        { do: 'edit', edit: { kind: 'add set', which: 205, how: 703 } },
        { do: 'up', weather: { ...calm, seed: 248 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'add set', which: 70, how: 108 } },
        { do: 'edit', edit: { kind: 'gather rules', which: 400, how: 183 } },
        { do: 'edit', edit: { kind: 'split set', which: 545, how: 805 } },
        { do: 'edit', edit: { kind: 'release all', which: 777, how: 722 } },
        { do: 'up', weather: { seed: 201, latencyMs: 20, strikes: [] }, parallel: 2 },
      ],
    },
  },
  {
    why: 'sets between which a rule moved that somebody else had deleted waited for each other for ever',
    life: {
      ...beginning,
      seed: 2123,
      switches: { missingRule: 'empty' },
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 907, how: 674 } },
        { do: 'edit', edit: { kind: 'add module', which: 740, how: 458 } },
        { do: 'edit', edit: { kind: 'add filter', which: 904, how: 938 } },
        { do: 'edit', edit: { kind: 'add set', which: 658, how: 276 } },
        { do: 'edit', edit: { kind: 'add filter', which: 444, how: 621 } },
        { do: 'edit', edit: { kind: 'add set', which: 914, how: 100 } },
        { do: 'up', weather: { ...calm, seed: 510 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'release rule', which: 327, how: 715 } },
        { do: 'edit', edit: { kind: 'absorb rule', which: 429, how: 764 } },
        { do: 'others', deed: { kind: 'delete', which: 594 } },
        { do: 'up', weather: { ...calm, seed: 865 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'a set deleted a deny while an allow below it waited for the resource that takes it over',
    life: {
      ...beginning,
      seed: 2195,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 929, how: 326 } },
        { do: 'up', weather: { ...calm, seed: 956 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'split set', which: 382, how: 418 } },
        { do: 'edit', edit: { kind: 'release rule', which: 457, how: 888 } },
        { do: 'up', weather: { ...calm, seed: 268 }, parallel: 1 },
      ],
    },
  },
  {
    why: 'recover left a rule in doubt to the next up, which no longer declared it, and did not name it',
    life: {
      ...beginning,
      seed: 2850,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 278, how: 7 } },
        { do: 'edit', edit: { kind: 'add rule', which: 509, how: 342 } },
        {
          do: 'up',
          weather: { ...calm, seed: 551 },
          parallel: 16,
          death: { of: 'cli', atEvent: 14, lingerMs: 60000, then: 'nothing' },
        },
        { do: 'edit', edit: { kind: 'undo', which: 511, how: 213 } },
        { do: 'up', weather: { ...calm, seed: 922 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'a set moved a rule to a network whose rule the change drops, and no later up went on',
    life: {
      ...beginning,
      seed: 3794,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 942, how: 55 } },
        { do: 'edit', edit: { kind: 'add rule', which: 124, how: 941 } },
        { do: 'up', weather: { ...calm, seed: 657 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'split set', which: 920, how: 239 } },
        { do: 'edit', edit: { kind: 'change', which: 255, how: 226 } },
        { do: 'edit', edit: { kind: 'absorb rule', which: 275, how: 532 } },
        { do: 'edit', edit: { kind: 'change', which: 318, how: 349 } },
      ],
    },
  },
  {
    why: 'a set of which a destroy had deleted a part said that the next up does the rest',
    life: {
      ...beginning,
      seed: 4100,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 64, how: 117 } },
        { do: 'up', weather: { ...calm, seed: 674 }, parallel: 16 },
        {
          do: 'destroy',
          weather: {
            ...calm,
            seed: 301,
            latencyMs: 1000,
            strikes: [{ method: 'DELETE', kind: '403', nth: 2, times: 1 }],
          },
          parallel: 16,
        },
        { do: 'up', weather: { ...calm, seed: 623, latencyMs: 20 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'a set whose changes failed still deleted the denies that it had offered to another resource',
    life: {
      ...beginning,
      seed: 11948,
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 702, how: 784 } },
        { do: 'edit', edit: { kind: 'add rule', which: 400, how: 279 } },
        { do: 'up', weather: { ...calm, seed: 683 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'split set', which: 247, how: 405 } },
        { do: 'edit', edit: { kind: 'gather rules', which: 120, how: 469 } },
        { do: 'edit', edit: { kind: 'move between sets', which: 351, how: 806 } },
        { do: 'edit', edit: { kind: 'move between sets', which: 464, how: 188 } },
        { do: 'edit', edit: { kind: 'release rule', which: 162, how: 662 } },
        { do: 'up', weather: { ...calm, seed: 531, latencyMs: 1000 }, parallel: 1 },
      ],
    },
  },
  {
    why: 'a list that does not show a young rule yet was taken as proof that it is gone, where a proxy answered the delete',
    life: {
      ...beginning,
      seed: 15365,
      switches: { listLagMs: 10_000 },
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 261, how: 247 } },
        { do: 'up', weather: { seed: 432, latencyMs: 80, strikes: [] }, parallel: 16 },
        { do: 'edit', edit: { kind: 'undo', which: 429, how: 905 } },
        {
          do: 'up',
          weather: {
            seed: 166,
            latencyMs: 80,
            strikes: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 5 }],
          },
          parallel: 16,
        },
      ],
    },
  },
  {
    why: 'a module was deleted before the engine had named the unchanged resource that stands for it too',
    life: {
      ...beginning,
      seed: 14510,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 793, how: 735 } },
        { do: 'edit', edit: { kind: 'add rule', which: 915, how: 342 } },
        { do: 'edit', edit: { kind: 'add module', which: 15, how: 247 } },
        { do: 'edit', edit: { kind: 'add module', which: 306, how: 752 } },
        { do: 'up', weather: { ...calm, seed: 686 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'rotate modules', which: 975, how: 32 } },
        {
          do: 'destroy',
          weather: {
            ...calm,
            seed: 323,
            latencyMs: 1000,
            strikes: [{ method: 'DELETE', kind: '403', nth: 4, times: 1 }],
          },
          parallel: 16,
        },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 193,
            strikes: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 4 }],
          },
          parallel: 16,
        },
      ],
    },
  },
];
