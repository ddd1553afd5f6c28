import { isDeepStrictEqual } from 'node:util';
import { isModuleType, type ResourceType } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { adoptModule } from './adopt-module';
import { adoptRule } from './adopt-rule';
import { adoptRuleSet } from './adopt-rule-set';
import { type Adoptable, type Adoption, isAdoptable, type LiveObjects } from './adoption';

/** A resource that an earlier import wrote into the program and that is not yet in the stack's state. */
export interface WrittenAdoption {
  readonly type: ResourceType;
  readonly name: string;
  readonly liveIds: readonly string[];
  /** The inputs that its declaration in the program evaluates to. */
  readonly inputs: object;
  /** The module that declares it. */
  readonly program: string;
  /** Whether the module still declares the object, but under another name. */
  readonly isRenamed?: true;
}

/** Live objects that an earlier import already generated code for. */
export interface Resumption {
  /** Live objects that are still as written: only the state is missing. */
  readonly resumed: readonly Adoption[];
  /** Live objects that have changed since, so that the code would not match the state. */
  readonly outdated: readonly WrittenAdoption[];
  readonly rest: LiveObjects;
}

/** Finds what an interrupted import has left undone, so that it continues under the same names. */
export function resume(live: LiveObjects, written: readonly WrittenAdoption[]): Resumption {
  const rules = new Map(live.rules.map((rule) => [rule.id, rule]));
  const isLive = (id: string): boolean => rules.has(id) || live.modules.has(id);
  const resumed: Adoption[] = [];
  const outdated: WrittenAdoption[] = [];
  const taken = new Set<string>();
  for (const one of written) {
    const ids = one.liveIds.filter(isLive);
    if (ids.length === 0) continue;
    const own = ids.flatMap((id) => rules.get(id) ?? []);
    const isOpen = one.isRenamed !== true && ids.every((id) => !taken.has(id));
    const now = !isOpen ? undefined : adoptAgain(one, { ...live, rules: own });
    if (now !== undefined && isAsWritten(now, one)) resumed.push({ ...now, name: one.name });
    else outdated.push(one);
    for (const id of ids) taken.add(id);
  }
  return { resumed, outdated, rest: without(live, taken) };
}

function adoptAgain(
  { type, liveIds: [key = ''] }: WrittenAdoption,
  { rules, modules }: LiveObjects,
): Adoptable | undefined {
  const [rule] = rules;
  const module = modules.get(key);
  const ofRules =
    type === 'IpPolicyRule' ? rule && adoptRule(rule) : rule && adoptRuleSet(rule.ipPolicyId, rules)[0];
  const found = isModuleType(type) ? module && adoptModule(module) : ofRules;
  return found !== undefined && isAdoptable(found) ? found : undefined;
}

const isAsWritten = (now: Adoptable, written: WrittenAdoption): boolean =>
  now.type === written.type &&
  isDeepStrictEqual(new Set(now.liveIds), new Set(written.liveIds)) &&
  isDeepStrictEqual(JSON.parse(JSON.stringify(now.inputs)), written.inputs);

const without = ({ rules, modules }: LiveObjects, taken: ReadonlySet<string>): LiveObjects => ({
  rules: rules.filter(({ id }) => !taken.has(id)),
  modules: new Map([...modules].filter(([key]) => !taken.has(key))),
});
