import type { ReportedFinding } from '../guards/waivers';
import { isAtLeast, SEVERITIES } from '../findings/severity';
import { verdictInWords } from '../findings/feeds';
import { comparisonSentence } from '../guards/compare-plans';
import type { Block, Limits, Tone } from './blocks';
import { effectBlocks, worstOf } from './compose-effects';
import { isDriftLine } from '../findings/drift';
import { findingItem, type OwnWords, ownWordsIn } from './compose-finding';
import { assumedBlocks, frameBlocks } from './compose-frame';
import { accessBlocks, assertionBlocks } from './compose-sections';
import { reaches } from './verdict';
import { parseUrn } from '../preview/resource-urn';
import { trafficBlocks } from './compose-traffic';
import type { Report } from './report';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';

/** Composes a report: the verdict, its assumptions and its effects on the first screen, everything else folded below. */
export function compose(report: Report, limits: Limits): Block[] {
  const ownWords = ownWordsIn(report);
  return [
    { kind: 'heading', text: titleOf(report) },
    { kind: 'paragraph', text: verdictSentence(report), tone: verdictTone(report) },
    ...assumedBlocks(report),
    ...planBlocks(report, limits),
    ...feedBlocks(report),
    ...effectBlocks(report, ownWords),
    ...findingBlocks(report, limits, ownWords),
    ...folded('Clients of the logs', trafficBlocks(report, limits)),
    ...folded('Who gets in', accessBlocks(report, limits)),
    ...folded('Assertions', assertionBlocks(report, limits)),
    ...folded('What this is based on', frameBlocks(report)),
  ];
}

function titleOf({ stack, project, drift }: Report): Sentence {
  const what = trusted(drift ? 'Drift' : 'Access review');
  const named = stack === undefined ? what : say`${what} of ${foreign(stack)} in ${foreign(project ?? '')}`;
  return drift ? say`${named} since the last up or refresh` : named;
}

/** Green means that nothing above low is new and nothing is undecided, whatever the gate lets pass. */
function verdictTone({ verdict, findings, plan: { expected } }: Report): Tone {
  if (verdict.outcome === 'findings') return 'bad';
  if (verdict.outcome === 'not-decidable') return 'doubtful';
  if (expected) return 'good';
  const counting = findings.filter((found) => found.isNew && !found.waiver);
  if (counting.some(({ severity }) => isAtLeast(severity, 'high'))) return 'bad';
  return counting.some(({ severity }) => isAtLeast(severity, 'medium')) ? 'doubtful' : 'good';
}

function verdictSentence({ verdict, findings, drift, plan: { expected } }: Report): Sentence {
  const isComparison =
    expected && (verdict.outcome === 'clear' || expected.comparison.differences.length > 0);
  if (isComparison) return comparisonSentence(expected.plan.hash, expected.comparison);
  const counting = findings.filter((found) => found.isNew && !found.waiver);
  const tally = list(tallyOf(counting), SEVERITIES.length);
  if (drift) return driftSentence(counting, tally);
  if (verdict.outcome === 'not-decidable')
    return say`Not decidable: this preview does not show everything that access depends on (${tally}). The gate stops this change, whatever its threshold.`;
  if (verdict.outcome === 'findings') return say`Look closely: ${tally}. ${stopOf(verdict, counting)}.`;
  const access = verdict.affectsAccess
    ? trusted('Access changes')
    : trusted('This change does not affect access');
  if (counting.length === 0) return say`${access}.`;
  const gate =
    verdict.failOn === 'never'
      ? trusted('The gate does not stop it: threshold never')
      : say`The gate does not stop it: nothing reaches the threshold ${trusted(verdict.failOn)}${ofFeeds(counting)}`;
  return say`${access}: ${tally}. ${gate}.`;
}

/** Its other threshold, by which gains from published lists pass. */
function ofFeeds(findings: readonly ReportedFinding[]): Sentence {
  const threshold = findings.find((found) => found.threshold !== undefined)?.threshold;
  return threshold === undefined ? [] : say`, or ${trusted(threshold)} where a publisher confirms the gain`;
}

function stopOf({ failOn }: Report['verdict'], counting: readonly ReportedFinding[]): Sentence {
  const isReached = counting.some((found) => reaches(found, failOn));
  return isReached
    ? say`The gate stops this change: the threshold is ${trusted(failOn)}`
    : trusted('The gate stops this change, whatever its threshold');
}

function driftSentence(counting: readonly ReportedFinding[], tally: Sentence): Sentence {
  const lines = counting.filter(({ id }) => isDriftLine(id)).length;
  if (counting.length === 0) return trusted('No drift.');
  const what = lines === 0 ? trusted('Live access needs attention') : say`Drift in ${count(lines, 'place')}`;
  return say`${what}: ${tally}.`;
}

function tallyOf(findings: readonly ReportedFinding[]): Sentence[] {
  return SEVERITIES.flatMap((severity) => {
    const found = findings.filter((candidate) => candidate.severity === severity).length;
    return found === 0 ? [] : [count(found, `${severity} finding`)];
  });
}

function findingBlocks(report: Report, limits: Limits, ownWords: OwnWords): Block[] {
  const { findings } = report;
  const fresh = findings.filter((found) => found.isNew && !found.waiver);
  const waived = findings.filter((found) => found.isNew && found.waiver);
  const existing = findings.filter((found) => !found.isNew);
  const shownWaived = waived.slice(0, Math.max(0, limits.findings - fresh.length));
  const shownExisting = existing.slice(0, Math.max(0, limits.findings - fresh.length - waived.length));
  return [
    ...folded('Findings, and what to do', section(fresh, fresh.slice(0, limits.findings), ownWords)),
    ...folded('Waived', section(waived, shownWaived, ownWords)),
    ...folded(
      report.drift ? 'Already known' : 'Already present before this change',
      section(existing, shownExisting, ownWords),
    ),
  ];
}

function section(
  all: readonly ReportedFinding[],
  shown: readonly ReportedFinding[],
  ownWords: OwnWords,
): Block[] {
  const left = all.slice(shown.length);
  return [
    ...(shown.length === 0
      ? []
      : [{ kind: 'list' as const, items: shown.map((found) => findingItem(found, ownWords)) }]),
    ...(left.length === 0 ? [] : [{ kind: 'paragraph' as const, text: leftOut(left) }]),
  ];
}

const leftOut = (left: readonly ReportedFinding[]): Sentence =>
  say`${count(left.length, 'finding')} left out for length, none worse than ${trusted(worstOf(left))}; the json format has all of them.`;

const folded = (summary: string, blocks: readonly Block[]): Block[] =>
  blocks.length === 0 ? [] : [{ kind: 'fold', summary, blocks }];

/** Secrets, which cannot be compared. */
function planBlocks({ plan: { expected } }: Report, { rows }: Limits): Block[] {
  const urns = expected?.comparison.notCovered ?? [];
  if (urns.length === 0) return [];
  const names = list(
    urns.map((urn) => foreign(parseUrn(urn).name)),
    rows,
  );
  return [{ kind: 'list', items: [{ text: say`Not covered, because a part is secret: ${names}.` }] }];
}

/** The feeds that change, one line each; one that its publisher does not confirm is a finding. */
function feedBlocks({ feeds }: Report): Block[] {
  const told = feeds.filter(({ state }) => state === 'confirmed' || state === 'not-asked');
  if (told.length === 0) return [];
  const items = told.map((feed) => ({ text: say`${foreign(feed.name)}: ${verdictInWords(feed)}.` }));
  return [{ kind: 'list', items }];
}
