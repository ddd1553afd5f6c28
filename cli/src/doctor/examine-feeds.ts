import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { findFeedsFolder, readFeedFiles } from 'pulumi-edge-policy/internal/feeds/feed-files';
import { count } from '../command/text';
import { statusOfFeeds } from '../feeds/inspect';
import { type DoctorCheck, ok, red, warning } from './doctor-check';

const WHAT = 'published networks';
const FIX = `run "${COMMAND_LINE} feeds verify", then "${COMMAND_LINE} feeds update"`;

/** Checks the feeds that the project's programs read, if any: unusable ones are red, stale ones a warning. */
export function examineFeeds(projectFolder: string, now: number): DoctorCheck[] {
  if (findFeedsFolder(projectFolder) === undefined) return [];
  try {
    const { declarations, lock } = readFeedFiles(projectFolder);
    const feeds = statusOfFeeds(declarations, lock, now);
    const checks = feeds.flatMap(({ isStale, problem }) => {
      if (problem === undefined) return [];
      return [isStale ? warning(WHAT, problem, FIX) : red(WHAT, problem, FIX)];
    });
    return checks.length === 0 ? [ok(WHAT, count(feeds.length, 'feed'))] : checks;
  } catch (error) {
    if (!isUserError(error)) throw error;
    return [red(WHAT, error.message, FIX)];
  }
}
