import { isUserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import { count } from '../command/text';
import { assertionFileOf, COMMON_ASSERTION_FILE, defaultAssertionFiles } from '../judge/assertion-files';
import { readAssertionFiles } from '../judge/review-files';
import { stackNameOf } from '../pulumi/stack';
import { type DoctorCheck, ok, red } from './doctor-check';

const WHAT = 'assertion files';

/** Checks the files next to the program that a review of this stack reads, and whether they name who must never be locked out. */
export async function examineAssertions(where: Location, context: CliContext): Promise<DoctorCheck> {
  try {
    const files = await defaultAssertionFiles(where.cwd, () => stackNameOf(where, context));
    const { assertions, waivers } = readAssertionFiles(files, where.cwd);
    const read =
      files.length === 0
        ? 'none'
        : `${files.join(', ')}: ${count(assertions.length, 'assertion')}, ${count(waivers.length, 'waiver')}`;
    const isNamed = assertions.some(({ expectation }) => expectation === 'allow');
    const advice = `; "mustAllow" in ${COMMON_ASSERTION_FILE}, or in ${assertionFileOf('STACK')}, names who must never be locked out`;
    return ok(WHAT, isNamed ? read : read + advice);
  } catch (error) {
    if (!isUserError(error)) throw error;
    return red(WHAT, error.message, 'correct the file: docs/review-assertions.md');
  }
}
