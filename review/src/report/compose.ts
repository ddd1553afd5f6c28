import type { ReportedFinding } from '../guards/waivers';
import { type FindingId, kindOf } from '../findings/catalog';
import { isAtLeast, SEVERITIES } from '../findings/severity';
import { verdictInWords } from '../findings/feeds';
import { comparisonSentence } from '../guards/compare-plans';
import { acceptanceBlocks, assumedBlocks, frameBlocks } from './compose-frame';
import { findingItem, inClause, type OwnWords, ownWordsIn } from './compose-finding';
import { type Block, type Limits, linesOf, listed, paragraph, type Tone } from './blocks';
import { effectBlocks, worstOf } from './compose-effects';
import { isDriftLine } from '../findings/drift';
import { accessBlocks, assertionBlocks } from './compose-sections';
import { countingIn, reaches, type Report } from './report';
import { parseUrn } from '../preview/resource-type';
import { trafficBlocks } from './compose-traffic';
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
    ...acceptanceBlocks(report),
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

/** Red: the gate stops it, or something high passes unseen. Yellow: it passes with something above low. Green: without. */
function verdictTone({ verdict, findings, acceptance, plan: { expected } }: Report): Tone {
  if (verdict.outcome !== 'clear') return 'bad';
  const worst = worstOf(countingIn(findings));
  if (!isAtLeast(worst, 'medium')) return 'good';
  const isApproved = expected !== undefined || acceptance !== undefined;
  return isAtLeast(worst, 'high') && !isApproved ? 'bad' : 'doubtful';
}

function verdictSentence({ verdict, findings, drift, acceptance, plan: { expected } }: Report): Sentence {
  const isComparison =
    expected && (verdict.outcome === 'clear' || expected.comparison.differences.length > 0);
  if (isComparison) return comparisonSentence(expected.plan.hash, expected.comparison);
  const counting = countingIn(findings);
  const tally = list(tallyOf(counting), SEVERITIES.length);
  if (drift) return driftSentence(counting, tally);
  const effect = effectInWords(verdict, counting);
  if (counting.length === 0) return say`${effect}.`;
  if (acceptance?.isAccepted === true)
    return say`${effect}. Accepted by a person as ${foreign(acceptance.hash.slice(0, 12))}: ${tally}.`;
  if (verdict.outcome === 'not-decidable')
    return say`Not decidable: ${effect}. The gate stops this change, whatever its threshold: ${tally}.`;
  if (verdict.outcome === 'findings') return say`${effect}. ${stopOf(verdict, counting)}: ${tally}.`;
  const gate =
    verdict.failOn === 'never'
      ? trusted('with the threshold never')
      : say`as nothing reaches the threshold ${trusted(verdict.failOn)}${ofFeeds(counting)}`;
  return say`${effect}. The gate does not stop it, ${gate}: ${tally}.`;
}

const HALF_WAY: FindingId = 'up-would-fail';

/** What happens, in the titles of what is found: what hides it, that the run stops half-way, and the worst of the rest. */
function effectInWords(
  { affectsAccess, outcome }: Report['verdict'],
  counting: readonly ReportedFinding[],
): Sentence {
  const worst = worstOf(counting);
  const of = (isMeant: (finding: ReportedFinding) => boolean) => counting.filter(isMeant).map(({ id }) => id);
  const isUndecided = outcome === 'not-decidable';
  const telling = [
    ...(isUndecided ? of(({ id }) => kindOf(id).about === 'evidence') : []),
    ...of(({ id }) => id === HALF_WAY),
    ...(worst === 'info' ? [] : of(({ severity }) => severity === worst)),
  ];
  const titles = [...new Set(telling)].map((id) => kindOf(id).title);
  const [first = 'Access changes', ...others] = affectsAccess
    ? titles
    : ['This change does not affect access', ...titles];
  return trusted([isUndecided ? inClause(first) : first, ...others.map(inClause)].join('; '));
}

/** Its other threshold, by which gains from published lists pass. */
function ofFeeds(findings: readonly ReportedFinding[]): Sentence {
  const threshold = findings.find((finding) => finding.threshold !== undefined)?.threshold;
  return threshold === undefined ? [] : say`, or ${trusted(threshold)} where a publisher confirms the gain`;
}

function stopOf({ failOn }: Report['verdict'], counting: readonly ReportedFinding[]): Sentence {
  const isReached = counting.some((finding) => reaches(finding, failOn));
  return isReached
    ? say`The gate stops this change, with the threshold ${trusted(failOn)}`
    : trusted('The gate stops this change, whatever its threshold');
}

function driftSentence(counting: readonly ReportedFinding[], tally: Sentence): Sentence {
  const lines = counting.filter(({ id }) => isDriftLine(id)).length;
  if (counting.length === 0) return trusted('No drift.');
  const what = lines === 0 ? trusted('Live access needs attention') : say`Drift in ${count(lines, 'place')}`;
  return say`${what}: ${tally}.`;
}

const tallyOf = (findings: readonly ReportedFinding[]): Sentence[] =>
  SEVERITIES.flatMap((severity) => {
    const amount = findings.filter((candidate) => candidate.severity === severity).length;
    return amount === 0 ? [] : [count(amount, `${severity} finding`)];
  });

function findingBlocks(report: Report, limits: Limits, ownWords: OwnWords): Block[] {
  const { findings } = report;
  const fresh = countingIn(findings);
  const waived = findings.filter((finding) => finding.isNew && finding.waiver);
  const existing = findings.filter((finding) => !finding.isNew);
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
    ...listed(shown.map((finding) => findingItem(finding, ownWords))),
    ...(left.length === 0 ? [] : [paragraph(leftOut(left))]),
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
  return linesOf([say`Not covered, because a part is secret: ${names}.`]);
}

/** The feeds that change, one line each; one that its publisher does not confirm is a finding. */
function feedBlocks({ feeds }: Report): Block[] {
  const shown = feeds.filter(({ state }) => ['by-name', 'confirmed', 'not-asked'].includes(state));
  return linesOf(shown.map((feed) => say`${foreign(feed.name)}: ${verdictInWords(feed)}.`));
}
