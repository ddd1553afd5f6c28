import type { PolicyJson } from 'pulumi-edge-policy/internal/values/policy-text';
import { policyLines, readPolicyJson } from 'pulumi-edge-policy/internal/values/policy-text';
import type { JsonObject } from '../preview/json-reading';
import { asArray, asString } from '../preview/json-reading';
import type { Origin, TrafficPolicyDeclaration, UserAgentFilterDeclaration } from './declarations';
import type { Known } from './known';
import { allKnown, known, readKnown } from './known';
import { readText } from './read-rules';

/** The traffic policy that a TcpEdgeTrafficPolicyModule declares. */
export function readTrafficPolicy(origin: Origin, inputs: JsonObject): TrafficPolicyDeclaration {
  // What an import has brought into state is the document itself.
  const policy = readKnown(inputs['value'], (value) => {
    if (typeof value === 'object' && value !== null)
      return readPolicyJson(policyLines(JSON.stringify(value)));
    return typeof value === 'string' ? readPolicyJson(value) : undefined;
  });
  return {
    origin,
    edgeId: readText(inputs['edgeId']),
    isEnabled: readSwitch(inputs['enabled']),
    value: policy.isKnown ? new KnownPolicy(policy.value) : policy,
    ...(policy.isKnown && policy.value.value !== undefined && { document: policy.value.value }),
  };
}

/** Its text is written when somebody asks for it, as its document says the same. */
class KnownPolicy {
  readonly isKnown = true;

  constructor(private readonly policy: PolicyJson) {}

  get value(): string {
    return this.policy.json;
  }
}

/** The filter that an HttpsEdgeRouteUserAgentFilterModule declares. */
export function readUserAgentFilter(origin: Origin, inputs: JsonObject): UserAgentFilterDeclaration {
  return {
    origin,
    routeKey: readRouteKey(inputs),
    isEnabled: readSwitch(inputs['enabled']),
    allow: readPatterns(inputs['allow']),
    deny: readPatterns(inputs['deny']),
  };
}

/** Both modules are on when nothing is said (sections 2.4 and 2.5 of the API document). */
const readSwitch = (value: unknown): Known<boolean> =>
  readKnown(value ?? true, (given) => (typeof given === 'boolean' ? given : undefined));

function readRouteKey(inputs: JsonObject): Known<string> {
  const parts = allKnown([readText(inputs['edgeId']), readText(inputs['routeId'])]);
  return parts.isKnown ? known(parts.value.join('/')) : parts;
}

const readPatterns = (value: unknown): Known<readonly Known<string>[]> =>
  readKnown(value ?? [], (given) =>
    Array.isArray(given) ? asArray(given).map((pattern) => readKnown(pattern, asString)) : undefined,
  );
