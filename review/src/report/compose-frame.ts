import type { IpModel } from '../access/evaluation-model';
import { ADMITTING_PHASES } from '../traffic-policy/phases';
import type { UserAgentModel } from '../user-agents/user-agent-model';
import type { Block, ListItem } from './blocks';
import type { Report } from './report';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';

const IP_MODEL_WORDS: Readonly<Record<IpModel, string>> = {
  'deny-wins': 'an address gets in if at least one allow rule matches and no deny rule does',
  'block-list': 'an address gets in unless a deny rule matches; allow rules have no effect',
  'allow-wins': 'an address gets in if an allow rule matches; deny rules have no effect',
  'allow-overrides': 'an address gets in if an allow rule matches or no deny rule does',
};

const USER_AGENT_MODEL_WORDS: Readonly<Record<UserAgentModel, string>> = {
  'allow-wins':
    'a client gets in if an allow pattern matches or no deny pattern does; without the header only by an allow pattern that ' +
    'matches the empty string',
  'deny-wins': 'a client is refused if a deny pattern matches, or if there are allow patterns and none does',
  'allow-required': 'a client gets in if an allow pattern matches and no deny pattern does',
};

const EMPTY_POLICY_WORDS = {
  'by-model': 'a policy without rules is judged by the same rule',
  'refuse-all': 'a policy without rules lets nobody in',
  'let-all-in': 'a policy without rules lets everyone in',
} as const;

const FAILED_EXPRESSION_WORDS = {
  'skip-rule': 'a rule does not apply if one of its expressions fails',
  either: 'a rule may or may not apply if one of its expressions fails',
} as const;

/** The basis of the report: rules that were seen, the plan, and assumptions. */
export function frameBlocks(report: Report): Block[] {
  if (report.drift) return [{ kind: 'list', items: [...otherItems(report), ...assumptionItems(report)] }];
  if (!report.plan.plan.isWhole) return [];
  return [
    {
      kind: 'list',
      items: [
        scopeItem(report),
        ...otherItems(report),
        ...hiddenStepItems(report),
        planItem(report),
        ...assumptionItems(report),
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

function assumptionItems({ assumptions }: Report): ListItem[] {
  const terminal = list(assumptions.terminalActions.map(foreign), 10);
  const deciding = list([...ADMITTING_PHASES, ...assumptions.phases].map(foreign), 10);
  return [
    item(
      say`Assumed for IP policies (--ip-model ${trusted(assumptions.ipModel)}): ${trusted(IP_MODEL_WORDS[assumptions.ipModel])}; ${trusted(EMPTY_POLICY_WORDS[assumptions.emptyPolicy])} (--empty-policy ${trusted(assumptions.emptyPolicy)}).`,
    ),
    item(
      say`Assumed for user agent filters (--user-agent-model ${trusted(assumptions.userAgentModel)}): ${trusted(USER_AGENT_MODEL_WORDS[assumptions.userAgentModel])}.`,
    ),
    item(
      say`Assumed for traffic policies: the actions ${terminal} end the evaluation of a phase (--terminal-actions); ${trusted(FAILED_EXPRESSION_WORDS[assumptions.failedExpressions])} (--failed-expressions ${trusted(assumptions.failedExpressions)}); the phases ${deciding} decide (--phases); equal actions do the same to a connection, even if they are unknown.`,
    ),
  ];
}
