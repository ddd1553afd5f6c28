import { ADMITTING_PHASES } from '../traffic-policy/phases';
import type { Block, ListItem } from './blocks';
import type { Report } from './report';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';

/** The basis of the report: rules that were seen, the plan, and assumptions. */
export function frameBlocks(report: Report): Block[] {
  if (report.drift) return [{ kind: 'list', items: [...otherItems(report), assumptionItem(report)] }];
  if (!report.plan.plan.isWhole) return [];
  return [
    {
      kind: 'list',
      items: [
        scopeItem(report),
        ...otherItems(report),
        ...hiddenStepItems(report),
        planItem(report),
        assumptionItem(report),
      ],
    },
  ];
}

const item = (text: Sentence): ListItem => ({ text });

const scopeItem = ({ includesLiveRules }: Report): ListItem =>
  item(
    trusted(
      includesLiveRules
        ? 'Rules on the service that are not in this stack are counted as they were when the review ran.'
        : 'Managed rules only: rules that are on the service and not in this stack are not counted (--live counts them).',
    ),
  );

const planItem = ({ plan: { plan } }: Report): ListItem =>
  item(
    say`Reviewed plan ${foreign(plan.hash.slice(0, 12))} (--write plan=FILE): --expect makes sure that nothing else is applied.`,
  );

const hiddenStepItems = ({ hidesReplacementSteps }: Report): ListItem[] =>
  hidesReplacementSteps
    ? [
        item(
          trusted(
            'Objects that an earlier replacement has yet to delete are not shown: preview with --show-replacement-steps.',
          ),
        ),
      ]
    : [];

function otherItems({ otherResources: { all, changed } }: Report): ListItem[] {
  if (all === 0) return [];
  const changing = say`, of which ${changed} ${trusted(changed === 1 ? 'changes' : 'change')}`;
  return [
    item(
      say`${count(all, 'resource')} of other packages ${trusted(all === 1 ? 'was' : 'were')} not reviewed${changed === 0 ? trusted('') : changing}.`,
    ),
  ];
}

/** By their switches: docs/review-assumptions.md says what each means. */
function assumptionItem({ assumptions }: Report): ListItem {
  const { ipModel, emptyPolicy, userAgentModel, failedExpressions } = assumptions;
  const terminal = list(assumptions.terminalActions.map(foreign), 10);
  const deciding = list([...ADMITTING_PHASES, ...assumptions.phases].map(foreign), 10);
  return item(
    say`Assumed: --ip-model ${trusted(ipModel)}, --empty-policy ${trusted(emptyPolicy)}, --user-agent-model ${trusted(userAgentModel)}, --failed-expressions ${trusted(failedExpressions)}, --terminal-actions ${terminal}, and --phases ${deciding} (docs/review-assumptions.md).`,
  );
}
