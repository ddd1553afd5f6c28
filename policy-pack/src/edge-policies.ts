// What for: policies for a Pulumi policy pack: they hand the declared resources to the review.
// Must not know: how to judge anything: `pulumi-edge-policy-review/posture` does.
import type {
  EnforcementLevel,
  Policies,
  Policy,
  ReportViolation,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from '@pulumi/policy';
import { POSTURE_KINDS, type PostureFinding, type PostureKind } from 'pulumi-edge-policy-review/posture';
import { type Assertions, ASSERTION_SETTINGS } from './assertions';
import { judgeDeclared, type ShownResource } from './judge-declared';

/** The options of a pack, which apply to every stack. */
export interface EdgePoliciesOptions {
  /**
   * What must hold for policies, edges and routes, which findings are waived, and the models: the content of an assertion
   * file (docs/review-assertions.md). Each stack is checked only for its own policies, edges and routes. Default: nothing.
   */
  readonly assertions?: Assertions;
  /**
   * The level of the policies at which a review stops by default, those of severity high and critical. The others advise, and so
   * do those that say what is not known yet. The pack's configuration can set another level for each. Default: `advisory`.
   */
  readonly enforcementLevel?: EnforcementLevel;
}

/** The policies for a `PolicyPack`: one for each finding of docs/findings.md that is about a state, under its id. */
export function edgePolicies(options: EdgePoliciesOptions = {}): Policies {
  // A pack judges one run, and everything in it at the same time.
  const now = new Date().toISOString();
  return POSTURE_KINDS.map((kind) => {
    const judge: Judge = (shown, settings, report) => {
      for (const violation of judgeDeclared(shown, { settings: [options.assertions, settings], now }))
        if (violation.id === kind.id) report(messageOf(violation, kind), violation.urn);
    };
    return kind.posture === 'one-resource'
      ? ofResources(kind, options, judge)
      : ofStacks(kind, options, judge);
  });
}

type Judge = (shown: readonly ShownResource[], settings: Assertions, report: ReportViolation) => void;

const ofResources = (
  kind: PostureKind,
  options: EdgePoliciesOptions,
  judge: Judge,
): ResourceValidationPolicy => ({
  ...policyOf(kind, options),
  validateResource: (args, report) => {
    judge([args], args.getConfig<Assertions>(), report);
  },
});

const ofStacks = (kind: PostureKind, options: EdgePoliciesOptions, judge: Judge): StackValidationPolicy => ({
  ...policyOf(kind, options),
  validateStack: (args, report) => {
    judge(args.resources, args.getConfig<Assertions>(), report);
  },
});

function policyOf(kind: PostureKind, { enforcementLevel = 'advisory' }: EdgePoliciesOptions): Policy {
  const { id, title, severity, advice, posture } = kind;
  const isSevere = severity === 'critical' || severity === 'high';
  return {
    name: id,
    description: `${title}.`,
    ...(severity !== 'info' && { severity }),
    enforcementLevel: isSevere && posture !== 'unknown' ? enforcementLevel : 'advisory',
    remediationSteps: advice,
    configSchema: { properties: ASSERTION_SETTINGS },
  };
}

/** Contains no value of the stack, because the engine shows secrets to a pack in clear text. */
const messageOf = ({ severity, property, detail, advice }: PostureFinding, kind: PostureKind): string =>
  [
    property === undefined ? `Severity ${severity}.` : `Severity ${severity}, at ${property}.`,
    ...(detail === undefined ? [] : [detail]),
    advice ?? kind.advice,
  ].join(' ');
