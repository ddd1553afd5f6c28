import type {
  HttpsEdgeRouteUserAgentFilterModuleWire as UserAgentFilterWire,
  TcpEdgeTrafficPolicyModuleWire as TrafficPolicyWire,
} from '../api/decode';
import {
  httpsEdgeRouteUserAgentFilterModuleFields,
  httpsEdgeRouteUserAgentFilterModuleState,
  summaryOfUserAgentFilter,
} from '../resources/https-edge-route-user-agent-filter-module';
import {
  summaryOfTrafficPolicy,
  tcpEdgeTrafficPolicyModuleFields,
  tcpEdgeTrafficPolicyModuleState,
} from '../resources/tcp-edge-traffic-policy-module';
import { type Adoptable, type NotAdoptable, resourceInState } from './adoption';
import { shortId } from './names';
import { policyValue } from './policy-value';

const switchedOff = (isEnabled: boolean): { enabled?: false } => (isEnabled ? {} : { enabled: false });

/** The live traffic policy module of a TCP edge as a resource. */
export function adoptTrafficPolicy(edgeId: string, live: TrafficPolicyWire): Adoptable | NotAdoptable {
  const state = tcpEdgeTrafficPolicyModuleState(edgeId, live);
  const summary = summaryOfTrafficPolicy(live);
  const inState = resourceInState(tcpEdgeTrafficPolicyModuleFields, state);
  if ('reason' in inState) return { id: edgeId, summary, reason: inState.reason };
  return {
    type: 'TcpEdgeTrafficPolicyModule',
    id: edgeId,
    wantedName: `tcp-edge-${shortId(edgeId)}`,
    parentId: edgeId,
    summary,
    liveIds: [edgeId],
    args: { edgeId, ...switchedOff(state.enabled), value: policyValue(live.value) },
    ...inState,
  };
}

/** The live user agent filter module of an HTTPS edge route, `edgeId/routeId`, as a resource. */
export function adoptUserAgentFilter(id: string, live: UserAgentFilterWire): Adoptable | NotAdoptable {
  const state = httpsEdgeRouteUserAgentFilterModuleState(id, live);
  const { edgeId, routeId, allow, deny } = state;
  const summary = summaryOfUserAgentFilter(live);
  const fields = httpsEdgeRouteUserAgentFilterModuleFields;
  const inState = resourceInState(fields, state);
  if ('reason' in inState) return { id, summary, reason: inState.reason };
  return {
    type: 'HttpsEdgeRouteUserAgentFilterModule',
    id,
    wantedName: `route-${shortId(routeId)}`,
    parentId: id,
    summary,
    liveIds: [id],
    args: {
      edgeId,
      routeId,
      ...switchedOff(state.enabled),
      ...(allow.length === 0 ? {} : { allow }),
      ...(deny.length === 0 ? {} : { deny }),
    },
    ...inState,
  };
}
