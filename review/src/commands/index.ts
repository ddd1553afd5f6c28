// What for: the commands `review`, `drift` and `explain`: options, files, live reads, exit codes.
// Must not know: how anything is judged: they call `review.ts` and `explain/`.
import type { ReviewCommands } from 'pulumi-edge-policy/internal/cli/context';
import { describeDrift } from './drift/command';
import { describeExplain } from './explain/command';
import { describeReview } from './review/command';

/** The commands that the command line of `pulumi-edge-policy` loads on demand. */
export const reviewCommands: ReviewCommands = {
  review: describeReview,
  explain: describeExplain,
  drift: describeDrift,
};
