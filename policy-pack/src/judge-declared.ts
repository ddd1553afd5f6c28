import type { DeclaredResource, PostureFinding } from 'pulumi-edge-policy-review/posture';
import { isJudged, judgePosture, UNKNOWN } from 'pulumi-edge-policy-review/posture';
import type { Assertions } from './assertions';

/** A resource as the SDK shows it to a policy: the one that is validated, or one of the stack. */
export interface ShownResource {
  readonly urn: string;
  readonly type: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly provider?: { readonly urn: string };
}

let latest: { readonly question: string; readonly findings: readonly PostureFinding[] } | undefined;

/** Judges the resources that a policy is shown. Cached, as the policies of a pack ask one after the other, mostly about the same ones. */
export function judgeDeclared(
  shown: readonly ShownResource[],
  { settings, now }: { readonly settings: readonly (Assertions | undefined)[]; readonly now: string },
): readonly PostureFinding[] {
  const resources = shown.filter(({ type }) => isJudged(type)).map(declared);
  const assertions = settings.filter((each) => each !== undefined);
  const question = JSON.stringify([resources, assertions, now]);
  if (latest?.question !== question)
    latest = { question, findings: judgePosture(resources, { assertions, now }) };
  return latest.findings;
}

const declared = ({ urn, type, props, provider }: ShownResource): DeclaredResource => ({
  urn,
  type,
  properties: copyOf(props) as DeclaredResource['properties'],
  ...(provider && { provider: provider.urn }),
});

/** A copy without the proxies of the SDK, which throw as soon as an unknown value is read. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value.keys(), (index) => partOf(value, index));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, partOf(value, key)]));
}

function partOf(whole: object, key: PropertyKey): unknown {
  try {
    return copyOf(Reflect.get(whole, key));
  } catch {
    // Reading a property of parsed JSON fails for no other reason, and the SDK does not export the type of its error.
    return UNKNOWN;
  }
}
