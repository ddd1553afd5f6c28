import { COMMAND_LINE, CORRECT_THE_RULE } from 'pulumi-edge-policy/internal/errors/words';
import { lineBody } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { isCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { declarationOf } from '../model/live-rules';
import type { PreviewStep } from '../preview/preview-step';
import { resourceTypeOf } from '../preview/resource-type';
import { foreign, say, type Sentence, trusted } from '../text/sentence';
import { aboutChange, networksOfRules } from './severity';
import { type Finding, findingOf, type Where } from './finding';
import { ruleKinds } from './rules';

export const driftKinds = {
  'drift-changed': aboutChange('low', {
    title: 'A live value was changed outside the program',
    advice: 'To keep it, declare what is live. To undo it, run pulumi refresh and then pulumi up.',
  }),
  'drift-gone': aboutChange('low', {
    title: 'Something was deleted outside the program',
    advice:
      'To keep it so, remove it from the program. To undo it, run pulumi refresh and then pulumi up, which creates it again.',
  }),
  'drift-added': aboutChange('low', {
    title: 'A rule was added to a policy that a set owns',
    advice:
      'To keep it, declare it in the set. To undo it, run pulumi refresh and then pulumi up: the set deletes it.',
  }),
  'rule-unmanaged': aboutChange('medium', {
    extents: ['networks'],
    title: 'No stack manages a rule of the policy',
    advice:
      'Name the other stacks of the policy with --also-managed-by. To undo it, delete the rule where it was created.',
  }),
};

const finding = findingOf(driftKinds);

export interface DriftItem {
  /** `added` is a foreign rule that an exclusive set finds in its policy. */
  readonly kind: 'changed' | 'gone' | 'added';
  readonly urn: string;
  readonly subject?: string;
  readonly property?: string;
  readonly what: Sentence;
}

export interface Drift {
  readonly items: readonly DriftItem[];
  readonly unmanaged: readonly ServiceRule[];
}

const IDS = { changed: 'drift-changed', gone: 'drift-gone', added: 'drift-added' } as const;

export const isDriftLine = (id: string): boolean =>
  id === 'rule-unmanaged' || Object.values(IDS).some((kind) => kind === id);

/** Whether it advises to edit the program. A drift leaves it out: others changed what is live, and the way back is no edit. */
export const isAboutProgram = (id: string): boolean => id === 'module-off' || id in ruleKinds;

export function driftFindings({ items, unmanaged }: Drift, steps: readonly PreviewStep[]): Finding[] {
  const origins = originsOf(steps);
  return [
    ...items.map(({ kind, urn, subject, property, what }) =>
      finding(IDS[kind], {
        where: { subject, origin: origins.get(urn), property },
        reason: say`${what}.`,
      }),
    ),
    ...unmanaged.map(unmanagedRule),
  ];
}

const originsOf = (steps: readonly PreviewStep[]): ReadonlyMap<string, NonNullable<Where['origin']>> =>
  new Map(
    steps.flatMap(({ urn, type: token, old, new: now }) => {
      const type = resourceTypeOf(token);
      const source = (now ?? old)?.source;
      return type ? [[urn.text, { urn: urn.text, name: urn.name, type, ...(source && { source }) }]] : [];
    }),
  );

function unmanagedRule(rule: ServiceRule): Finding {
  const declaration = declarationOf(rule);
  const { origin, property } = declaration;
  const adopt = foreign(`${COMMAND_LINE} import --policy ${rule.ipPolicyId} --cidr ${rule.cidr} --run`);
  return finding('rule-unmanaged', {
    extent: networksOfRules([declaration]),
    where: { subject: rule.ipPolicyId, origin, property },
    reason: say`${foreign(`${rule.cidr} ${lineBody(rule)}`)} (created ${foreign(rule.createdAt)}) is in the policy, but in no stack.`,
    // A service may send any text instead of a network, and that is a command to copy.
    notes: [
      isCidr(rule.cidr)
        ? say`To adopt it, run ${adopt}.`
        : say`No program can declare its network: ${trusted(CORRECT_THE_RULE)}.`,
    ],
  });
}
