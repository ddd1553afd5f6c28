import { renderJson, type Report, tooComplexReport } from '../../../review/src';
import { agents, office, previewOf } from './preview-builder';
import { filterInputs } from './inputs';
import { demanding, reviewed, textOf } from './reviewing';

const adviceIn = (report: Report, asked: string): unknown => {
  const { findings } = JSON.parse(renderJson(report)) as { findings: { id: string; advice: string }[] };
  const advice = findings.find(({ id }) => id === asked)?.advice;
  // A report for people says the same.
  expect(textOf(report)).toContain(advice);
  return advice;
};

test('a filter that lets nobody in is advised on its patterns, and not on rules', () => {
  const shut = agents('ua', { before: filterInputs([]), after: filterInputs(['']) });
  expect(adviceIn(reviewed([shut]), 'nobody-let-in')).toMatch(/^Remove or narrow the deny pattern/);
});

test('an assertion about what is no network says to correct it', () => {
  const report = reviewed([office], demanding({ mustAllow: ['8.8.8.0/33'] }));
  expect(adviceIn(report, 'assertion-not-checked')).toBe('Correct this network in the assertion.');
});

test('what a comparison with the service cannot judge does not advise another preview', () => {
  const preview = previewOf(office);
  const gaps = [['The preview has a gap.']];
  const drift = { items: [], unmanaged: [] };
  expect(adviceIn(reviewed({ ...preview, gaps }, { drift }), 'preview-incomplete')).toContain(
    'compare again',
  );
  expect(adviceIn(reviewed({ ...preview, gaps }), 'preview-incomplete')).toContain('Run pulumi preview');
});

test('what is too complex advises to split the change, as another preview is judged the same', () => {
  expect(adviceIn(tooComplexReport(), 'preview-incomplete')).toMatch(/^Split the change/);
});
