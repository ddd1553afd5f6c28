import type { ReportedFinding } from '../assertions/waivers';
import type { FailOn } from '../assertions/gate';
import type { Verdict } from '../report/report';
import type { FindingId } from './catalog';
import { CATALOG } from './catalog';
import { processCatalog } from './catalog-process';
import { isAtLeast } from './severity';

/** Sums findings up. What was there before, and what is waived, stays visible and stops nothing. */
export function verdictOf(findings: readonly ReportedFinding[], failOn: FailOn): Verdict {
  const counting = findings.filter((found) => found.isNew && !found.waiver);
  const isUndecidable = counting.some((found) => CATALOG[found.id].about === 'undecidable');
  const isStopped = counting.some(
    // Whoever asks for no new access gets it refused, whatever the threshold.
    (found) => found.id === 'new-access' || (failOn !== 'never' && isAtLeast(found.severity, failOn)),
  );
  return {
    outcome: isUndecidable ? 'not-decidable' : isStopped ? 'findings' : 'clear',
    failOn,
    affectsAccess: findings.some((found) => found.isNew && isAboutAccess(found.id)),
  };
}

const isAboutAccess = (id: FindingId): boolean => {
  const { about } = CATALOG[id];
  return about === 'undecidable' || (about === 'change' && !(id in processCatalog));
};
