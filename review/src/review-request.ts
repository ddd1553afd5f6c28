import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { GateInForce } from './guards/gate';
import type { Guards } from './guards/guards';
import type { FeedRevisions } from './findings/feed-changes';
import type { Drift } from './findings/drift';
import type { LiveModulePlace, LiveRule } from './model/live-rules';
import type { ResourceSide } from './model/resource-change';
import type { FinderContext } from './findings/assumptions';
import type { ReviewedPlan } from './guards/reviewed-plan';
import type { PreviewDocument } from './preview/preview-document';
import type { StackState } from './preview/stack-state';
import type { OpenModel } from './effects/other-models';
import type { Traffic } from './traffic/traffic-log';

/** The input: a preview; or, with a drift, steps from what was known to what is live. */
export interface Judged extends PreviewDocument {
  readonly drift?: Drift;
}

export interface ReviewRequest extends GateInForce {
  readonly context: FinderContext;
  /** The models that neither the gate nor the caller names: a change is also judged under the others. */
  readonly openModels?: readonly OpenModel[];
  readonly guards: Guards;
  /** The name of the stack that the preview must be of. */
  readonly stack?: string;
  readonly state?: StackState;
  readonly cliVersion?: string;
  /** The addresses that must not be locked out, whatever the threshold. */
  readonly mustAllow?: readonly Cidr[];
  /** The time of the review, RFC 3339 in UTC, which decides about ended rules and waivers. */
  readonly now: string;
  readonly traffic?: Traffic;
  /** The approved plan: this preview must plan the same. */
  readonly expected?: ReviewedPlan;
  /** The hash of the change that another person has accepted. */
  readonly accepted?: string;
  readonly feeds?: FeedRevisions;
  /** All rules of the account, to include those outside the stack. */
  readonly liveRules?: readonly LiveRule[];
  readonly liveModules?: readonly ResourceSide[];
  /** Where modules were looked for; by default where the change takes one over. */
  readonly livePlaces?: readonly LiveModulePlace[];
}
