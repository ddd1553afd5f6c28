// What for: the commands `review`, `drift` and `explain`: options, files, live reads, exit codes.
// Must not know: how anything is judged: they call `review.ts` and `explain/`.
import type { ReviewCommands } from 'pulumi-edge-policy/internal/cli/context';
import { describeDrift } from './drift/command';
import { describeExplain } from './explain/command';
import type { Judge } from './judge-case';
import { judgeApart } from './judge-apart';
import { describeReview } from './review/command';

export { isAskedToJudge, judgeStandardInput } from './judge-apart';

/** The commands, with what judges for them. */
export const commandsJudging = (judge: Judge): ReviewCommands => ({
  review: describeReview(judge),
  explain: describeExplain,
  drift: describeDrift(judge),
});

/** The commands that the command line of `pulumi-edge-policy` loads on demand. */
export const reviewCommands: ReviewCommands = commandsJudging(judgeApart);
