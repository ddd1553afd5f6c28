import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { type Case, judge, type Judge } from '../../cli/src/judge/judge-case';
import { type Bounds, judgeApart } from '../../cli/src/judge/judge-apart';
import { checkout, sourcesHook } from './workspace';

const sent = <T>(data: T): T => deserialize(serialize(data)) as T;

/** Judges in this process, which takes no time to start, what has been written and read as for another one. */
export const judgeHere: Judge = (given) => sent(judge(sent(given)));

const program = [...sourcesHook, join(checkout, 'cli', 'src', 'judge', 'judge-apart.ts')];

/** Judges in a process of its own, as the command does. */
export const judgeThere = (given: Case, bounds: Partial<Omit<Bounds, 'program'>> = {}) =>
  judgeApart(given, { ...bounds, program });
