import { resourceChanges } from '../../../../review/src/model/resource-change';
import { stackChangeOf } from '../../../../review/src/model/snapshot';
import { DEFAULT_ASSUMPTIONS } from '../../../../review/src/findings/assumptions';
import { edgeAccess } from '../../../../review/src/traffic-policy/edge-access';
import { trafficPoliciesOf } from '../../../../review/src/traffic-policy/traffic-rules';
import { previewOf, tcp } from '../preview-builder';

/** What the review makes of an edge whose document changes, and the two sides that it compares. */
export function reviewedEdge(before: string, after: string) {
  const module = (value: string) => ({ edgeId: 'edgtcp_1', enabled: true, value });
  const preview = previewOf(tcp('tcp', { before: module(before), after: module(after) }));
  const stack = stackChangeOf(resourceChanges(preview.steps));
  const [access] = edgeAccess(stack, DEFAULT_ASSUMPTIONS);
  const [old, now] = [trafficPoliciesOf(stack.before).all[0], trafficPoliciesOf(stack.after).all[0]];
  if (!access || !old || !now) throw new Error('the edge is missing');
  return { access, sides: { before: old, after: now } };
}
