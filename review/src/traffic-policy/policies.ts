import type { TcpEdgeTrafficPolicyModuleInputs } from 'pulumi-edge-policy/internal/resources/tcp-edge-traffic-policy-module';
import type { BySubject } from '../model/by-subject';
import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import type { Known } from '../model/known';
import { textIn } from '../model/read-modules';

/** The modules that hold the rules of a TCP edge. */
export const POLICY_TYPE = 'TcpEdgeTrafficPolicyModule';

/** The traffic policies of one side, by their edges. */
export const trafficPoliciesOf = ({ modules }: Snapshot): BySubject<ModuleDeclaration> =>
  modules[POLICY_TYPE];

/** The property that holds the policy. */
export const DOCUMENT = 'value' satisfies keyof TcpEdgeTrafficPolicyModuleInputs;

/** The policy, as JSON. */
export const documentIn = (module: ModuleDeclaration): Known<string> => textIn(module, DOCUMENT);
