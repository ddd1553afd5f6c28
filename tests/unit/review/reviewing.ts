import { DEFAULT_CONTEXT, NO_ASSERTIONS, reviewPreview } from '../../../review/src';
import type {
  Assumptions,
  AssertionSet,
  BaseAssertions,
  FailOn,
  PreviewDocument,
  Report,
  ReviewedPlan,
} from '../../../review/src';

/** What a test wants to be otherwise than by default. */
export interface Wishes {
  readonly assumptions?: Partial<Assumptions>;
  readonly assertions?: AssertionSet;
  readonly base?: BaseAssertions;
  readonly noNewAccess?: boolean;
  readonly expected?: ReviewedPlan;
  readonly failOn?: FailOn;
  readonly today?: string;
}

/** A review with the defaults of the command line, on a fixed day. */
export function reviewed(preview: PreviewDocument, wishes: Wishes = {}): Report {
  const assumptions = { ...DEFAULT_CONTEXT.assumptions, ...wishes.assumptions };
  return reviewPreview(preview, {
    context: { ...DEFAULT_CONTEXT, assumptions },
    assertions: wishes.assertions ?? NO_ASSERTIONS,
    today: wishes.today ?? '2026-06-15',
    failOn: wishes.failOn ?? 'high',
    ...(wishes.expected && { expected: wishes.expected }),
    ...(wishes.base && { base: wishes.base }),
    ...(wishes.noNewAccess !== undefined && { noNewAccess: wishes.noNewAccess }),
  });
}

/** The ids of the findings that the change brings, each as often as it is found. */
export const newIds = (report: Report): string[] =>
  report.findings.filter((found) => found.isNew).map((found) => found.id);
