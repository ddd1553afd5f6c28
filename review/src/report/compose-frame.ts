import { ADMITTING_PHASES } from '../traffic-policy/phases';
import { isTestedCli, TESTED_CLIS } from '../preview/pulumi-cli';
import type { Block } from './blocks';
import type { Report } from './report';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';

/** The basis of the report: rules that were seen, the plan, and assumptions. */
export function frameBlocks(report: Report): Block[] {
  const { drift, plan } = report;
  if (!drift && !plan.plan.isWhole) return [];
  const sentences = drift
    ? [...others(report), ...untestedCli(report), assumed(report)]
    : [
        ...[scope(report), ...lookUps(report), ...others(report), ...hiddenSteps(report)],
        ...[...untestedCli(report), reviewedPlan(report), ...unnamed(report), assumed(report)],
      ];
  return [{ kind: 'list', items: sentences.map((text) => ({ text })) }];
}

const unnamed = ({ assertions }: Report): Sentence[] =>
  assertions.length > 0
    ? []
    : [
        trusted(
          'Nothing says who must never be locked out, or kept out: mustAllow and mustDeny in edge-policy.assertions.json do (docs/review-assertions.md).',
        ),
      ];

const scope = ({ includesLiveRules }: Report): Sentence =>
  trusted(
    includesLiveRules
      ? 'Rules on the service that are not in this stack are counted as they were when the review ran.'
      : 'Managed rules only: rules that are on the service and not in this stack are not counted (--live counts them).',
  );

const reviewedPlan = ({ plan: { plan } }: Report): Sentence =>
  say`Reviewed plan ${foreign(plan.hash.slice(0, 12))} (--write plan=FILE): --expect makes sure that nothing else is applied.`;

function lookUps({ lookedUp, includesLiveRules }: Report): Sentence[] {
  const counted = trusted(includesLiveRules ? '' : ', so counted as possible, as of the last run');
  const names = list([...new Set(lookedUp)].map(foreign));
  return lookedUp.length === 0 ? [] : [say`Only looked up (get)${counted}: ${names}.`];
}

const hiddenSteps = ({ hidesReplacementSteps }: Report): Sentence[] =>
  hidesReplacementSteps
    ? [
        trusted(
          'What is deleted with a replaced resource, or is left of an earlier replacement, is not shown: preview with --show-replacement-steps.',
        ),
      ]
    : [];

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

/** By their switches: docs/review-assumptions.md says what each means. */
function assumed({ assumptions, drift }: Report): Sentence {
  const { ipModel, userAgentModel, duplicateNetworks } = assumptions;
  const terminal = list(assumptions.terminalActions.map(foreign), 10);
  const duplicates = drift ? [] : say`, --duplicate-networks ${trusted(duplicateNetworks)}`;
  const deciding = list([...ADMITTING_PHASES, ...assumptions.phases].map(foreign), 10);
  return say`Assumed: --ip-model ${trusted(ipModel)}, --user-agent-model ${trusted(userAgentModel)}, --terminal-actions ${terminal}, --phases ${deciding}${duplicates}, and that a rule does not apply if one of its expressions fails (docs/review-assumptions.md).`;
}
