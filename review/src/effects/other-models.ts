import { isEmptyCidrSet, subtract } from '../access/cidr-set';
import { IP_MODELS } from '../access/evaluation-model';
import { policyChanges, unplacedPolicies } from '../access/policy-change';
import { isProvedUnchanged, type SubjectAccess } from '../access/subject-access';
import { policyFindings, unplacedFindings } from '../findings/access-changes';
import { openness } from '../findings/access';
import type { FinderContext } from '../findings/assumptions';
import { type Finding, sortFindings } from '../findings/finding';
import type { UnderModel } from '../findings/models';
import type { StackChange } from '../model/snapshot';
import { USER_AGENT_MODELS } from '../user-agents/user-agent-model';
import { userAgentFilter } from './https-edge-route-user-agent-filter-module';

const MODELS = { ipModel: IP_MODELS, userAgentModel: USER_AGENT_MODELS } as const;

export type OpenModel = keyof typeof MODELS;

export const OPEN_MODELS = Object.keys(MODELS) as OpenModel[];

interface Judged {
  readonly accesses: readonly SubjectAccess[];
  readonly findings: readonly Finding[];
}

type Judge = (stack: StackChange, context: FinderContext, nowMs: number) => ReadonlyMap<string, Judged>;

const JUDGES: Readonly<Record<OpenModel, Judge>> = {
  ipModel(stack, { assumptions }, nowMs) {
    const { ipModel: model } = assumptions;
    const placed = policyChanges(stack, model, nowMs).map((policy) => ({
      policy,
      findings: [
        ...policyFindings(policy, assumptions),
        ...openness(policy, model).filter(({ isNew }) => isNew),
      ],
    }));
    const unplaced = unplacedPolicies(stack, model, nowMs).map((policy) => ({
      ...{ policy, findings: unplacedFindings(policy) },
    }));
    return new Map(
      [...placed, ...unplaced].map(({ policy: { policyId, access, later }, findings }) => [
        policyId,
        { accesses: [access, ...later], findings },
      ]),
    );
  },
  userAgentModel(stack, context) {
    const evaluation = userAgentFilter.evaluate(stack, context);
    const findings = evaluation.changeFindings();
    return new Map(
      evaluation.accesses.map((access) => [
        access.subject,
        { accesses: [access], findings: findings.filter(({ where }) => where.subject === access.subject) },
      ]),
    );
  },
};

export const underOtherModels = (
  stack: StackChange,
  context: FinderContext,
  { open, nowMs }: { readonly open: readonly OpenModel[]; readonly nowMs: number },
): UnderModel[] =>
  open.flatMap((key) => {
    const judge = JUDGES[key];
    const assumed = judge(stack, context, nowMs);
    return MODELS[key]
      .filter((model) => model !== context.assumptions[key])
      .flatMap((model) => {
        const other = { ...context, assumptions: { ...context.assumptions, [key]: model } };
        return [...judge(stack, other, nowMs)].flatMap(([subject, judged]): UnderModel[] => {
          const { accesses, findings } = assumed.get(subject) ?? { accesses: [], findings: [] };
          const isUnseen = findings.length === 0 && accesses.every(isProvedUnchanged);
          const [worst] = sortFindings(judged.findings);
          const isMore = isUnseen || doesAdd(judged.accesses, accesses);
          return worst && isMore ? [{ model, subject, worst, isUnseen }] : [];
        });
      });
  });

const doesAdd = (accesses: readonly SubjectAccess[], known: readonly SubjectAccess[]): boolean =>
  (['gained', 'lost'] as const).some((direction) =>
    accesses.some((access) =>
      access.of === 'user-agents'
        ? access[direction].extent !== 'none' &&
          known.every((one) => one.of === 'user-agents' && one[direction].extent === 'none')
        : !isEmptyCidrSet(
            known.reduce(
              (rest, one) => (one.of === 'addresses' ? subtract(rest, one[direction].possibly) : rest),
              access[direction].possibly,
            ),
          ),
    ),
  );
