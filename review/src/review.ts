// What for: a review, from a preview and its guards to a report, which `stages.ts` makes, unless it overflows.
// Must not know: the command line, files, and the service.
import { DEFAULT_CONTEXT } from './findings/assumptions';
import { NO_ASSERTIONS } from './guards/assertion';
import { DEFAULT_FAIL_ON } from './guards/gate';
import { guardsOf } from './guards/guards';
import { TOO_COMPLEX } from './preview/preview-gaps';
import type { Report } from './report/report';
import type { Judged, ReviewRequest } from './review-request';
import { judge } from './stages';
import { trusted } from './text/sentence';

/** The same preview and request give the same report. What overflows the stack, also in the request, is too complex. */
export function reviewPreview(preview: Judged, requestOf: () => ReviewRequest): Report {
  try {
    return judge(preview, requestOf());
  } catch (error) {
    // A stack overflow, or an array or text beyond the limits of the language.
    if (error instanceof RangeError) return tooComplexReport(preview);
    throw error;
  }
}

/** The report about a preview that takes too much time or memory to judge. */
export function tooComplexReport({ drift, ...of }: Pick<Judged, 'stack' | 'project' | 'drift'> = {}): Report {
  const undone = drift && { drift: { ...drift, items: [], unmanaged: [] } };
  return judge({ ...of, steps: [], gaps: [trusted(TOO_COMPLEX)], ...undone }, NOTHING_ASKED);
}

const NOTHING_ASKED: ReviewRequest = {
  context: DEFAULT_CONTEXT,
  guards: guardsOf({ steps: [], gaps: [] }, { assertions: NO_ASSERTIONS }),
  now: '1970-01-01T00:00:00Z',
  failOn: DEFAULT_FAIL_ON,
};
