import type { Life } from './life';
import { edges, type EdgePart, policies, type RulePart, type SetPart } from './program/program';

const beginning = { switches: {}, skewMs: 0, crowd: 0, settings: {} };
const calm = { seed: 1, latencyMs: 80, strikes: [] };
const up = { do: 'up', weather: calm, parallel: 16 } as const;

const edgeModule = (name: string, edge: number, content: number): EdgePart => ({
  kind: 'edge',
  name,
  edge: edges[edge] ?? edges[0],
  content,
  overwrites: false,
});

const rule = (name: string, more: Partial<RulePart> = {}): RulePart => ({
  kind: 'rule',
  name,
  policy: policies[0],
  network: '192.0.2.0/24',
  action: 'allow',
  text: 1,
  overwrites: true,
  ...more,
});

const set = (name: string, rules: SetPart['rules'], policy: string = policies[0]): SetPart => ({
  kind: 'set',
  name,
  policy,
  rules,
  isExclusive: false,
  overwrites: true,
});

/** Lives that have failed for what the engine was asked for, with their programs as they were. */
export const engineWayRegressions: readonly { readonly why: string; readonly life: Life }[] = [
  {
    why: 'a replacement deleted the module that another entry of state held too, after an interrupted exchange',
    life: {
      ...beginning,
      seed: 219,
      steps: [
        { do: 'program', program: [edgeModule('a', 0, 2), edgeModule('b', 1, 2)] },
        up,
        {
          do: 'destroy',
          weather: { ...calm, strikes: [{ method: 'DELETE', kind: '403', nth: 2, times: 1 }] },
          parallel: 16,
        },
        { do: 'program', program: [edgeModule('a', 1, 2), edgeModule('b', 0, 2)] },
        { ...up, death: { of: 'interrupt', atEvent: 1, lingerMs: 0, then: 'nothing' } },
      ],
    },
  },
  {
    why: 'a module that one process had deleted could not be made by another one in the same run',
    life: {
      ...beginning,
      seed: 2481,
      steps: [
        { do: 'program', program: [edgeModule('a', 0, 4), edgeModule('b', 1, 3), edgeModule('c', 2, 2)] },
        up,
        {
          do: 'program',
          program: [
            { ...edgeModule('a', 1, 4), provider: 'one' },
            edgeModule('b', 0, 3),
            edgeModule('c', 2, 2),
          ],
        },
      ],
    },
  },
  {
    why: 'recover --failed-run did not name a rule that it left to the next up, and which the program no longer declared',
    life: {
      ...beginning,
      seed: 2003040,
      switches: { duplicateCidr: 'accepted' },
      steps: [
        { do: 'program', program: [rule('a')] },
        {
          ...up,
          weather: { ...calm, strikes: [{ method: 'POST', kind: 'reset though done', nth: 1, times: 1 }] },
          death: { of: 'plugin', atEvent: 6, lingerMs: 0, then: 'recover' },
        },
        { do: 'program', program: [] },
      ],
    },
  },
  {
    why: 'a set took over a young rule, and the 404 to its delete counted as proof that the rule was gone',
    life: {
      ...beginning,
      seed: 2004973,
      unknownForMs: 4_000,
      steps: [
        { do: 'program', program: [rule('a')] },
        up,
        { do: 'program', program: [set('b', [rule('a')])] },
        up,
        { do: 'program', program: [] },
        up,
      ],
    },
  },
];
