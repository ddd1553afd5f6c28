import { isSurelyEmpty } from '../../../../review/src/access/bounds';
import type { SubjectAccess } from '../../../../review/src/access/subject-access';
import { type Report, SEVERITIES } from '../../../../review/src';
import { reviewed } from '../reviewing';
import type { Wanted } from './scenario';
import { allScenarios } from './table';

const may = (access: SubjectAccess, key: 'gained' | 'lost'): boolean =>
  access.of === 'user-agents' ? access[key].extent !== 'none' : !isSurelyEmpty(access[key]);

/** The verdict of the review, in the words of the table. */
function verdictOf(report: Report, wanted: Wanted): string {
  const { verdict, accesses } = report;
  // Who gets in, and not whether an `up` gets there.
  const findings = report.findings.filter(({ id }) => id !== 'up-would-fail');
  if (verdict.outcome === 'not-decidable') return 'undecided';
  const worst = SEVERITIES.find((severity) =>
    findings.some((found) => found.isNew && found.severity === severity),
  );
  const isMild = worst === undefined || worst === 'low' || worst === 'info';
  if (!verdict.affectsAccess) return isMild ? 'same' : `same ${worst}`;
  const [gain, loss] = [
    accesses.some((access) => may(access, 'gained')),
    accesses.some((access) => may(access, 'lost')),
  ];
  const effect = wanted.startsWith('affects')
    ? 'affects'
    : gain && loss
      ? 'both'
      : gain
        ? 'gain'
        : loss
          ? 'loss'
          : 'affects';
  return `${effect} ${isMild ? 'low' : worst}`;
}

test.each(allScenarios)('$of: $wanted: $name', ({ resources, wanted }) => {
  expect(verdictOf(reviewed(resources), wanted)).toBe(wanted);
});
