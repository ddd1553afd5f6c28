import { join } from 'node:path';
import { type Case, judge, type Judge, type Judgement } from '../../cli/src/judge/judge-case';
import { type Bounds, judgeApart, pack, unpack } from '../../cli/src/judge/judge-apart';
import { checkout } from './workspace';

/** Judges in this process, which takes no time to start, what has been written and read as for another one. */
export const judgeHere: Judge = (given) => unpack(pack(judge(unpack(pack(given)) as Case))) as Judgement;

/** The sources as they are, whether the packages are built or not. */
const program = [
  '--require',
  join(__dirname, 'typescript-require.cjs'),
  join(checkout, 'cli', 'src', 'judge', 'judge-apart.ts'),
];

/** Judges in a process of its own, as the command does. */
export const judgeThere = (given: Case, bounds: Partial<Omit<Bounds, 'program'>> = {}) =>
  judgeApart(given, { ...bounds, program });
