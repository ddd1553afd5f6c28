/** How much a finding matters, the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** One of {@link SEVERITIES}. */
export type Severity = (typeof SEVERITIES)[number];

/** Whether a severity is as bad as another, or worse. */
export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);

/** Sort order: the worst first. */
export const compareSeverity = (left: Severity, right: Severity): number =>
  SEVERITIES.indexOf(left) - SEVERITIES.indexOf(right);
