import type { Life } from './life';

const beginning = { switches: {}, skewMs: 0, crowd: 0, settings: {} };
const calm = { seed: 1, latencyMs: 80, strikes: [] };

/** Lives that a long run has found (docs/contributing/reliability.md), as `npm run simulate` printed them. */
export const longRunRegressions: readonly { readonly why: string; readonly life: Life }[] = [
  {
    why: 'the rule of a create that the way carried out twice was not named, as the list did not show it yet',
    life: {
      ...beginning,
      seed: 16325,
      switches: { missingRule: 'empty', listLagMs: 10000 },
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 127, how: 647 } },
        { do: 'edit', edit: { kind: 'add rule', which: 286, how: 652 } },
        { do: 'up', weather: { ...calm, seed: 345 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'add set', which: 121, how: 458 } },
        {
          do: 'destroy',
          weather: {
            ...calm,
            seed: 352,
            strikes: [
              { method: 'LIST', kind: '403', nth: 1, times: 1 },
              { method: 'DELETE', kind: 'nothing though done', nth: 2, times: 1 },
            ],
          },
          parallel: 16,
        },
        { do: 'edit', edit: { kind: 'add rule', which: 296, how: 735 } },
        {
          do: 'up',
          weather: { ...calm, seed: 938, strikes: [{ method: 'POST', kind: 'doubled', nth: 1, times: 3 }] },
          parallel: 16,
        },
        { do: 'others', deed: { kind: 'move', which: 906 } },
      ],
    },
  },
  {
    why: 'a set that had made a rule anew kept the former resource of that rule waiting, and so gave up a deny before its successor could begin',
    life: {
      ...beginning,
      seed: 20678,
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 182, how: 335 } },
        { do: 'edit', edit: { kind: 'add filter', which: 689, how: 847 } },
        { do: 'edit', edit: { kind: 'add set', which: 264, how: 294 } },
        { do: 'edit', edit: { kind: 'add set', which: 72, how: 361 } },
        { do: 'edit', edit: { kind: 'release all', which: 47, how: 287 } },
        { do: 'edit', edit: { kind: 'absorb rule', which: 747, how: 449 } },
        { do: 'edit', edit: { kind: 'add rule', which: 596, how: 345 } },
        { do: 'up', weather: { ...calm, seed: 874, latencyMs: 1000 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'depend', which: 826, how: 825 } },
        { do: 'edit', edit: { kind: 'absorb rule', which: 112, how: 341 } },
        { do: 'others', deed: { kind: 'delete', which: 544 } },
        { do: 'edit', edit: { kind: 'release rule', which: 473, how: 177 } },
        { do: 'up', weather: { ...calm, seed: 544, latencyMs: 20 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'after Ctrl-C among modules that change places, every one of them was deleted',
    life: {
      ...beginning,
      seed: 21942,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 758, how: 84 } },
        { do: 'edit', edit: { kind: 'add module', which: 241, how: 304 } },
        { do: 'edit', edit: { kind: 'add module', which: 182, how: 835 } },
        { do: 'up', weather: { ...calm, seed: 235 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'rotate modules', which: 625, how: 769 } },
        {
          do: 'up',
          weather: { ...calm, seed: 310 },
          parallel: 16,
          death: { of: 'interrupt', atEvent: 1, lingerMs: 60000, then: 'recover' },
        },
      ],
    },
  },
  {
    why: 'a module whose replacement was interrupted could not be created again after the program had gone back',
    life: {
      ...beginning,
      seed: 25474,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 717, how: 694 } },
        { do: 'edit', edit: { kind: 'add module', which: 996, how: 24 } },
        { do: 'up', weather: { ...calm, seed: 957 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'rotate modules', which: 948, how: 744 } },
        {
          do: 'up',
          weather: { ...calm, seed: 32, latencyMs: 20 },
          parallel: 16,
          death: { of: 'plugin', atEvent: 5, lingerMs: 2000, then: 'recover' },
        },
        { do: 'edit', edit: { kind: 'undo', which: 508, how: 591 } },
      ],
    },
  },
  {
    why: 'a rule that a targeted up had moved into another set was deleted for the former one, and nobody noticed',
    life: {
      ...beginning,
      seed: 27508,
      steps: [
        { do: 'edit', edit: { kind: 'add filter', which: 415, how: 336 } },
        { do: 'edit', edit: { kind: 'add module', which: 789, how: 840 } },
        { do: 'edit', edit: { kind: 'add rule', which: 794, how: 71 } },
        { do: 'edit', edit: { kind: 'add set', which: 283, how: 177 } },
        { do: 'edit', edit: { kind: 'add filter', which: 539, how: 150 } },
        { do: 'up', weather: { ...calm, seed: 192 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'split set', which: 33, how: 84 } },
        { do: 'edit', edit: { kind: 'split set', which: 422, how: 159 } },
        { do: 'up', weather: { ...calm, seed: 742 }, parallel: 16, target: 734 },
        { do: 'up', weather: { ...calm, seed: 273 }, parallel: 1 },
      ],
    },
  },
  {
    why: 'a module that was taken over while its own replacement was interrupted could not go back, and the message did not say how',
    life: {
      ...beginning,
      seed: 29718,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 424, how: 966 } },
        { do: 'edit', edit: { kind: 'add module', which: 960, how: 993 } },
        { do: 'up', weather: { ...calm, seed: 465 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'rotate modules', which: 26, how: 739 } },
        {
          do: 'up',
          weather: { ...calm, seed: 962, strikes: [{ method: 'GET', kind: '403', nth: 2, times: 1 }] },
          parallel: 16,
        },
        { do: 'edit', edit: { kind: 'rotate modules', which: 433, how: 652 } },
      ],
    },
  },
  {
    why: 'a rule that a set moves back was taken over by another set that declares the network too, and both held it',
    life: {
      ...beginning,
      seed: 30581,
      steps: [
        { do: 'edit', edit: { kind: 'add module', which: 534, how: 635 } },
        { do: 'edit', edit: { kind: 'add module', which: 472, how: 323 } },
        { do: 'edit', edit: { kind: 'add set', which: 608, how: 668 } },
        { do: 'up', weather: { ...calm, seed: 531 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'add double', which: 301, how: 229 } },
        { do: 'others', deed: { kind: 'move', which: 728 } },
        { do: 'refresh', weather: { ...calm, seed: 845, latencyMs: 20 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'add rule', which: 402, how: 208 } },
        { do: 'up', weather: { ...calm, seed: 842 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'in the update of a set a list that did not show a young rule yet was taken as proof that the rule is gone',
    life: {
      ...beginning,
      seed: 48201,
      switches: { duplicateCidr: 'accepted', listLagMs: 10000 },
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 248, how: 622 } },
        { do: 'edit', edit: { kind: 'add filter', which: 300, how: 849 } },
        { do: 'edit', edit: { kind: 'add rule', which: 679, how: 254 } },
        { do: 'edit', edit: { kind: 'add module', which: 357, how: 837 } },
        { do: 'edit', edit: { kind: 'add filter', which: 849, how: 755 } },
        { do: 'edit', edit: { kind: 'add set', which: 846, how: 708 } },
        { do: 'edit', edit: { kind: 'add set', which: 497, how: 551 } },
        { do: 'up', weather: { ...calm, seed: 314 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'flip', which: 21, how: 345 } },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 115,
            strikes: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 6 }],
          },
          parallel: 16,
        },
      ],
    },
  },
  {
    why: 'an up that followed at once took a list from before a lost create as proof that the rule of a set does not exist',
    life: {
      ...beginning,
      seed: 109368,
      switches: { duplicateCidr: 'accepted', listLagMs: 10000 },
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 699, how: 824 } },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 43,
            strikes: [
              { method: 'POST', kind: 'cut', nth: 1, times: 1 },
              { method: 'LIST', kind: 'reset though done', nth: 2, times: 6 },
            ],
          },
          parallel: 16,
        },
        { do: 'up', weather: { ...calm, seed: 171 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'a young rule was taken for gone, as no answer had told yet that our clock is two minutes ahead, and the list did not show it yet',
    life: {
      ...beginning,
      seed: 136715,
      switches: { listLagMs: 10000 },
      skewMs: -118552,
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 889, how: 997 } },
        { do: 'up', weather: { ...calm, seed: 758 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'undo', which: 106, how: 611 } },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 502,
            strikes: [{ method: 'DELETE', kind: '404 with HTML', nth: 1, times: 4 }],
          },
          parallel: 16,
        },
      ],
    },
  },
  {
    why: 'a single rule took over, from a list of before, a rule that a set had deleted meanwhile to change its action',
    life: {
      ...beginning,
      seed: 137614,
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 95, how: 86 } },
        { do: 'edit', edit: { kind: 'gather rules', which: 697, how: 852 } },
        { do: 'up', weather: { ...calm, seed: 934 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'add double', which: 700, how: 552 } },
        { do: 'edit', edit: { kind: 'flip', which: 928, how: 977 } },
        { do: 'up', weather: { ...calm, seed: 775, latencyMs: 1000 }, parallel: 16 },
      ],
    },
  },
  {
    why: 'recover did not find in state a set that an interrupted run was renaming, and so lost what that run had made',
    life: {
      ...beginning,
      seed: 109748,
      switches: { duplicateCidr: 'accepted' },
      steps: [
        { do: 'edit', edit: { kind: 'add filter', which: 808, how: 954 } },
        { do: 'edit', edit: { kind: 'add filter', which: 390, how: 528 } },
        { do: 'edit', edit: { kind: 'add set', which: 599, how: 154 } },
        { do: 'edit', edit: { kind: 'add set', which: 586, how: 499 } },
        { do: 'up', weather: { ...calm, seed: 946 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'split set', which: 158, how: 356 } },
        { do: 'edit', edit: { kind: 'change', which: 606, how: 765 } },
        {
          do: 'up',
          weather: {
            seed: 48,
            latencyMs: 1000,
            strikes: [{ method: 'GET', kind: 'refused', nth: 2, times: 5 }],
          },
          parallel: 2,
        },
        { do: 'edit', edit: { kind: 'rename with alias', which: 609, how: 37 } },
        {
          do: 'up',
          weather: { ...calm, seed: 501, latencyMs: 20 },
          parallel: 1,
          death: { of: 'cli', atEvent: 5, lingerMs: 60000, then: 'recover' },
        },
      ],
    },
  },
  {
    why: 'the diff of a set came while the delete of one of its rules for another entry of state was under way',
    life: {
      ...beginning,
      seed: 217469,
      settings: { maxConcurrency: 8, maxAttempts: 1, operationTimeoutMs: 60000 },
      steps: [
        { do: 'edit', edit: { kind: 'add set', which: 527, how: 506 } },
        { do: 'edit', edit: { kind: 'add rule', which: 767, how: 88 } },
        { do: 'edit', edit: { kind: 'add rule', which: 432, how: 52 } },
        { do: 'edit', edit: { kind: 'add set', which: 856, how: 502 } },
        { do: 'edit', edit: { kind: 'add set', which: 223, how: 855 } },
        { do: 'edit', edit: { kind: 'add set', which: 794, how: 275 } },
        { do: 'up', weather: { ...calm, seed: 482 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'depend', which: 849, how: 339 } },
        { do: 'edit', edit: { kind: 'gather rules', which: 370, how: 938 } },
        { do: 'edit', edit: { kind: 'flip', which: 918, how: 705 } },
        { do: 'edit', edit: { kind: 'absorb rule', which: 848, how: 17 } },
        { do: 'edit', edit: { kind: 'depend', which: 534, how: 230 } },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 586,
            latencyMs: 1000,
            strikes: [{ method: 'DELETE', kind: 'reset', nth: 1, times: 1 }],
          },
          parallel: 16,
        },
        { do: 'edit', edit: { kind: 'add rule', which: 103, how: 266 } },
        { do: 'edit', edit: { kind: 'add rule', which: 594, how: 369 } },
        { do: 'up', weather: { ...calm, seed: 162 }, parallel: 2 },
      ],
    },
  },
  {
    why: 'a renamed rule and a rule of its former name held one rule, and the second moved it to another network',
    life: {
      ...beginning,
      seed: 204204,
      steps: [
        { do: 'edit', edit: { kind: 'add rule', which: 957, how: 336 } },
        { do: 'edit', edit: { kind: 'add set', which: 513, how: 671 } },
        { do: 'up', weather: { ...calm, seed: 794 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'rename', which: 840, how: 163 } },
        { do: 'edit', edit: { kind: 'split set', which: 673, how: 324 } },
        {
          do: 'up',
          weather: {
            ...calm,
            seed: 76,
            latencyMs: 1000,
            strikes: [{ method: 'POST', kind: 'silence though done', nth: 1, times: 1 }],
          },
          parallel: 16,
        },
        { do: 'edit', edit: { kind: 'add rule', which: 317, how: 741 } },
      ],
    },
  },
  {
    why: 'a rule that a targeted up had taken over was moved to another network by its former resource',
    life: {
      ...beginning,
      seed: 207186,
      steps: [
        { do: 'edit', edit: { kind: 'add filter', which: 369, how: 285 } },
        { do: 'edit', edit: { kind: 'add rule', which: 566, how: 178 } },
        { do: 'edit', edit: { kind: 'add set', which: 878, how: 22 } },
        { do: 'edit', edit: { kind: 'add set', which: 689, how: 961 } },
        { do: 'edit', edit: { kind: 'add rule', which: 953, how: 70 } },
        { do: 'up', weather: { ...calm, seed: 176 }, parallel: 16 },
        { do: 'edit', edit: { kind: 'gather rules', which: 97, how: 814 } },
        { do: 'edit', edit: { kind: 'gather rules', which: 700, how: 965 } },
        { do: 'edit', edit: { kind: 'release all', which: 170, how: 771 } },
        { do: 'up', weather: { ...calm, seed: 254, latencyMs: 1000 }, parallel: 16, target: 509 },
        { do: 'edit', edit: { kind: 'release rule', which: 505, how: 178 } },
      ],
    },
  },
];
