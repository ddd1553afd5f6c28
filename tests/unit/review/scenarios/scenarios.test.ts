import { isSurelyEmpty } from '../../../../review/src/access/bounds';
import type { SubjectAccess } from '../../../../review/src/access/subject-access';
import { type Report, SEVERITIES } from '../../../../review/src';
import { OPEN_MODELS } from '../../../../review/src/effects/other-models';
import { newIds, reviewed } from '../reviewing';
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

/** What has no effect, or a smaller one, under the models that are assumed alone. */
const MORE_UNDER_OTHERS = [
  'a dead deny comes',
  'a dead deny for an unknown policy',
  'one of two sets drops a line that both have',
  'an allow list without a refusal',
  'a missing header is allowed no more',
];
const isMoreUnderOthers = (name: string): boolean => MORE_UNDER_OTHERS.includes(name.split(': ')[0] ?? '');

test.each(allScenarios)('$of: $wanted: $name', ({ name, resources, wanted }) => {
  expect(verdictOf(reviewed(resources), wanted)).toBe(wanted);
  if (/high|critical|undecided/.test(wanted)) return;
  // An ordinary change passes where no gate names a model, too, and nobody has to accept it: false alarms cost trust.
  const report = reviewed(resources, { openModels: OPEN_MODELS });
  if (!isMoreUnderOthers(name)) expect(verdictOf(report, wanted)).toBe(wanted);
  if (newIds(report).includes('up-would-fail')) return;
  expect([report.verdict.outcome, report.acceptance]).toEqual(['clear', undefined]);
});
