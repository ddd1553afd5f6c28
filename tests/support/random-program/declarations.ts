import { UNKNOWN } from '../../../provider/src/values/unknowns';
import type { Bag } from '../host-process';
import { httpsEdgeId } from '../ids';
import type { Declaration } from '../stand-in-engine';
import { filterOf, type Part, policyOf, type Program, TEXTS } from './program';

/** The program as it reaches the engine. */
export const declarationsOf = (program: Program): Declaration[] =>
  program.map((part, index) => {
    const { type, inputs } = typeAndInputs(part);
    // No resource can depend on one that was dropped meanwhile or now comes later.
    const earlier = program.slice(0, index);
    const dependsOn = (part.dependsOn ?? []).filter((name) => earlier.some((other) => other.name === name));
    const { provider, aliases, replaceOnChanges } = part;
    return {
      type,
      inputs: part.isRefused === true ? { ...inputs, ...refusedInput[part.kind] } : inputs,
      name: part.name,
      ...{ aliases, dependsOn, provider, replaceOnChanges },
      ...(part.kind === 'rule' && part.ignoredText !== undefined
        ? { ignoreChanges: ['description', 'metadata'] }
        : {}),
    };
  });

const refusedInput: Readonly<Record<Part['kind'], Bag>> = {
  rule: { description: 'long'.repeat(100) },
  set: { rules: JSON.stringify({ '10.0.0.0/8': { action: 'allow', description: 'long'.repeat(100) } }) },
  edge: { value: 'no JSON' },
  route: { deny: ['('] },
};

/** An input of one resource. */
export interface InputOf {
  readonly name: string;
  readonly input: string;
}

/** The program with one unknown value. */
export const withUnknown = (declarations: readonly Declaration[], unknown: InputOf): Declaration[] =>
  declarations.map((declaration) =>
    declaration.name === unknown.name
      ? { ...declaration, inputs: { ...declaration.inputs, [unknown.input]: UNKNOWN } }
      : declaration,
  );

function typeAndInputs(part: Part): Pick<Declaration, 'type' | 'inputs'> {
  const setting = part.overwrites ? { overwriteExisting: true } : {};
  switch (part.kind) {
    case 'rule': {
      const { network, action, policy } = part;
      const texts = TEXTS[part.ignoredText ?? part.text];
      const inputs = { cidr: network, action, ipPolicyId: policy, ...texts };
      return { type: 'IpPolicyRule', inputs: { ...inputs, ...setting } };
    }
    case 'set': {
      const rules = Object.fromEntries(
        part.rules.map(({ network, action, text }) => [network, { action, ...TEXTS[text] }]),
      );
      const inputs = { ipPolicyId: part.policy, rules: JSON.stringify(rules), exclusive: part.isExclusive };
      return { type: 'IpPolicyRuleSet', inputs: { ...inputs, ...setting } };
    }
    case 'edge':
      return {
        type: 'TcpEdgeTrafficPolicyModule',
        inputs: { edgeId: part.edge, ...policyOf(part.content), ...setting },
      };
    case 'route':
      return {
        type: 'HttpsEdgeRouteUserAgentFilterModule',
        inputs: { edgeId: httpsEdgeId, routeId: part.route, ...filterOf(part.content), ...setting },
      };
  }
}
