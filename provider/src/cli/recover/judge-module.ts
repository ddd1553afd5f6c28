import type { ApiClient } from '../../api/client';
import { changedFields } from '../../fields/field';
import {
  httpsEdgeRouteUserAgentFilterModuleEndpoint,
  httpsEdgeRouteUserAgentFilterModuleFields,
  httpsEdgeRouteUserAgentFilterModuleState,
} from '../../resources/https-edge-route-user-agent-filter-module';
import {
  tcpEdgeTrafficPolicyModuleEndpoint,
  tcpEdgeTrafficPolicyModuleFields,
  tcpEdgeTrafficPolicyModuleState,
} from '../../resources/tcp-edge-traffic-policy-module';
import { findModule, type ModuleEndpoint } from '../../settle/presence';
import { type Operation, outputsOf, type Verdict } from './verdict';

/** What the two modules do not share. */
interface ModuleKind<Wire> {
  readonly fields: object;
  readonly idOf: (inputs: Operation['inputs']) => string;
  readonly endpoint: (client: ApiClient, id: string) => ModuleEndpoint<Wire>;
  readonly stateOf: (id: string, live: Wire, prior: object) => object;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const trafficPolicy = {
  fields: tcpEdgeTrafficPolicyModuleFields,
  idOf: (inputs: Operation['inputs']) => text(inputs['edgeId']),
  endpoint: tcpEdgeTrafficPolicyModuleEndpoint,
  stateOf: tcpEdgeTrafficPolicyModuleState,
};

const userAgentFilter = {
  fields: httpsEdgeRouteUserAgentFilterModuleFields,
  idOf: (inputs: Operation['inputs']) => `${text(inputs['edgeId'])}/${text(inputs['routeId'])}`,
  endpoint: httpsEdgeRouteUserAgentFilterModuleEndpoint,
  stateOf: httpsEdgeRouteUserAgentFilterModuleState,
};

/** What an interrupted create of a module is judged by. */
export interface ModuleEvidence {
  readonly client: ApiClient;
  /** What resources of the state stand for, and what has been brought in for another operation. */
  readonly takenIds: ReadonlySet<string>;
}

export const judgeTrafficPolicyCreate = (operation: Operation, evidence: ModuleEvidence): Promise<Verdict> =>
  judgeModuleCreate(trafficPolicy, operation, evidence);

export const judgeUserAgentFilterCreate = (
  operation: Operation,
  evidence: ModuleEvidence,
): Promise<Verdict> => judgeModuleCreate(userAgentFilter, operation, evidence);

/** A module has one place, so that there is never a choice: it is there as declared, or the next `up` decides again. */
async function judgeModuleCreate<Wire>(
  kind: ModuleKind<Wire>,
  operation: Operation,
  { client, takenIds }: ModuleEvidence,
): Promise<Verdict> {
  const id = kind.idOf(operation.inputs);
  if (takenIds.has(id)) {
    // Taken in a second time, the module would be deleted with the first of the two resources.
    return {
      kind: 'clear',
      why: 'another resource manages this module: the next up settles it',
    };
  }
  const live = await findModule(client, kind.endpoint(client, id), client.startOperation());
  if (live === undefined) return { kind: 'clear', why: 'never happened: there is no module' };
  const state = kind.stateOf(id, live, operation.inputs);
  if (changedFields(kind.fields, state, operation.inputs).length > 0) {
    return { kind: 'clear', why: 'the module holds other content: the next up says so, and asks what to do' };
  }
  return {
    kind: 'take',
    why: 'happened: the module is there as declared',
    id,
    outputs: outputsOf(operation, state),
    live: [id],
  };
}
