import { isTestedCli, TESTED_CLIS } from '../preview/preview-document';
import { type Block, linesOf, paragraph } from './blocks';
import { countingIn, type Report } from './report';
import { count, foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import { type Acceptance, isAcceptable } from '../guards/acceptance';
import { kindOf } from '../findings/catalog';
import type { Finding } from '../findings/finding';
import { inClause } from './compose-finding';

/** What the verdict rests on, by switches. A preview that hides something has no verdict. */
export function assumedBlocks({ assumptions, drift, plan, includesLiveRules }: Report): Block[] {
  if (!drift && !plan.plan.isWhole) return [];
  const { ipModel, userAgentModel, duplicateNetworks } = assumptions;
  const others = includesLiveRules
    ? 'rules outside the stack stay as the review saw them'
    : 'no rules outside the stack (--live counts them)';
  const phases =
    assumptions.phases.length === 0 ? [] : say`, --phases ${list(assumptions.phases.map(foreign), 10)}`;
  const duplicates = drift ? [] : say`, --duplicate-networks ${trusted(duplicateNetworks)}`;
  const switches = say`--ip-model ${trusted(ipModel)}, --user-agent-model ${trusted(userAgentModel)}${phases}${duplicates}`;
  const text = say`Assumed: ${trusted(others)}, ${switches}; see docs/review-assumptions.md in the package pulumi-edge-policy.`;
  return [paragraph(text)];
}

export function frameBlocks(report: Report): Block[] {
  const { drift, plan, assertions, hidesReplacementSteps } = report;
  if (!drift && !plan.plan.isWhole) return [];
  return linesOf([
    ...[...others(report), ...untestedCli(report)],
    ...(drift ? [] : [...lookUps(report), ...(hidesReplacementSteps ? [HIDDEN_STEPS] : [])]),
    ...(drift ? [] : [reviewedPlan(report), ...(assertions.length > 0 ? [] : [UNNAMED])]),
  ]);
}

const UNNAMED = trusted(
  'No assertion names who must never be locked out, or never get in: add mustAllow and mustDeny to edge-policy.assertions.json (see docs/review-assertions.md in the package pulumi-edge-policy).',
);
const HIDDEN_STEPS = trusted(
  'The preview does not show the objects that are deleted with a replaced resource, or that an earlier replacement has left: pass --show-replacement-steps.',
);

const reviewedPlan = ({ plan: { plan } }: Report): Sentence =>
  say`Reviewed plan ${foreign(plan.hash.slice(0, 12))} (--write plan=FILE): if the job that applies uses --expect, it applies nothing else.`;

function lookUps({ lookedUp, includesLiveRules }: Report): Sentence[] {
  const counted = trusted(includesLiveRules ? '' : ', so counted as possible, as of the last run');
  const names = list([...new Set(lookedUp)].map(foreign));
  return lookedUp.length === 0 ? [] : [say`Only looked up (get)${counted}: ${names}.`];
}

const untestedCli = ({ cliVersion }: Report): Sentence[] =>
  cliVersion === undefined || isTestedCli(cliVersion)
    ? []
    : [
        say`Judged by the rules of Pulumi CLI ${trusted(TESTED_CLIS.oldest)} to ${trusted(TESTED_CLIS.newest)}, but ${foreign(cliVersion)} made the preview or wrote the state.`,
      ];

function others({ otherResources: { all, changed } }: Report): Sentence[] {
  if (all === 0) return [];
  const changing = say`, of which ${changed} ${trusted(changed === 1 ? 'changes' : 'change')}`;
  const were = trusted(all === 1 ? 'was' : 'were');
  return [
    say`${count(all, 'resource')} of other packages ${were} not reviewed${changed === 0 ? [] : changing}.`,
  ];
}

/** So many of the things that would be accepted are named in their line; the findings have all of them. */
const MOST_NAMED = 10;

/** Wherever the gate stops a change: how a person accepts exactly this one, and what that would accept; or that nobody can. */
export function acceptanceBlocks({ acceptance, verdict, findings, drift }: Report): Block[] {
  if (drift) return [];
  if (acceptance) return linesOf(acceptanceInWords(acceptance));
  if (verdict.outcome === 'clear') return [];
  return linesOf([nobodyCan(countingIn(findings).filter((finding) => !isAcceptable(finding)))]);
}

function acceptanceInWords({ hash, isAccepted, other, accepts }: Acceptance): Sentence[] {
  const what = listOf(accepts, inWords, MOST_NAMED);
  if (isAccepted) return [say`Accepted by ${foreign(hash)}: ${what}.`];
  return [
    say`Another person can accept exactly this change, and no other: --accept ${foreign(hash)} (${GUIDE}).`,
    say`That would accept: ${what}.`,
    ...(other === undefined ? [] : [say`What was accepted is another change: ${foreign(other)}.`]),
  ];
}

const nobodyCan = (findings: readonly Finding[]): Sentence =>
  say`Nobody can accept this change as it is: ${list([...new Set(findings.map(titleOf))].map(trusted))} (${GUIDE}).`;

const GUIDE = trusted('see docs/approving.md in the package pulumi-edge-policy');

function inWords(finding: Finding): Sentence {
  const { origin, subject } = finding.where;
  const place = origin?.name ?? subject;
  const where = place === undefined ? [] : say`, ${foreign(place)}`;
  return say`${trusted(titleOf(finding))} (${trusted(finding.severity)}${where})`;
}

const titleOf = ({ id }: Finding): string => inClause(kindOf(id).title);
