import type {
  Origin,
  Snapshot,
  TrafficPolicyDeclaration,
  UserAgentFilterDeclaration,
} from '../model/declarations';
import type { Known } from '../model/known';
import { valueOf } from '../model/known';
import type { Pairing } from '../model/pairing';
import { groupByKey, pairByKey } from '../model/pairing';
import type { StackChange } from '../model/snapshot';
import { foreign, list, say, words } from '../report/sentence';
import type { Sentence } from '../report/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

interface ModuleDeclaration {
  readonly origin: Origin;
  readonly isEnabled: Known<boolean>;
}

const trafficPolicyKey = (module: TrafficPolicyDeclaration): Known<string> => module.edgeId;
const userAgentFilterKey = (module: UserAgentFilterDeclaration): Known<string> => module.routeKey;
const TRAFFIC_POLICY = words('traffic policy');
const USER_AGENT_FILTER = words('user agent filter');

/** What the change does to whole modules: gone, or off. */
export function moduleChangeFindings({ before, after }: StackChange): Finding[] {
  const trafficPolicies = pairByKey(before.trafficPolicies, after.trafficPolicies, trafficPolicyKey);
  const userAgentFilters = pairByKey(before.userAgentFilters, after.userAgentFilters, userAgentFilterKey);
  return [
    ...trafficPolicies.flatMap((pairing) => lostProtection(pairing, TRAFFIC_POLICY)),
    ...userAgentFilters.flatMap((pairing) => lostProtection(pairing, USER_AGENT_FILTER)),
  ];
}

function lostProtection(pairing: Pairing<ModuleDeclaration>, noun: Sentence): Finding[] {
  const [before, after] = [pairing.before[0], pairing.after[0]];
  if (!before) return [];
  const wasOn = valueOf(before.isEnabled) !== false;
  if (!after) {
    const where = { subject: pairing.key, origin: before.origin };
    const state = wasOn ? words('is removed') : words('is removed, which was off');
    const reason = say`The ${noun} of ${foreign(pairing.key)} ${state}.`;
    return [finding('module-removed', { where, reason, ...(!wasOn && { severity: 'low' }) })];
  }
  if (!wasOn || valueOf(after.isEnabled) !== false) return [];
  const where = { subject: pairing.key, origin: after.origin, property: 'enabled' };
  return [
    finding('module-disabled', {
      where,
      reason: say`The ${noun} of ${foreign(pairing.key)} is switched off.`,
    }),
  ];
}

/** What is odd about the modules that one side declares. */
export function moduleStateFindings(snapshot: Snapshot): Finding[] {
  const trafficPolicies = groupByKey(snapshot.trafficPolicies, trafficPolicyKey);
  const userAgentFilters = groupByKey(snapshot.userAgentFilters, userAgentFilterKey);
  return [
    ...[...trafficPolicies].flatMap(([key, modules]) => oddModules(key, modules, TRAFFIC_POLICY)),
    ...[...userAgentFilters].flatMap(([key, modules]) => oddModules(key, modules, USER_AGENT_FILTER)),
  ];
}

function oddModules(key: string, modules: readonly ModuleDeclaration[], noun: Sentence): Finding[] {
  const off = modules
    .filter((module) => valueOf(module.isEnabled) === false)
    .map(({ origin }) =>
      finding('module-off', {
        where: { subject: key, origin, property: 'enabled' },
        reason: say`The ${noun} of ${foreign(key)} is declared with enabled false, so it protects nothing.`,
      }),
    );
  const [first, second] = modules;
  if (!first || !second) return off;
  const names = list(modules.map((module) => foreign(module.origin.name)));
  const reason = say`The ${noun} of ${foreign(key)} is declared by ${names}.`;
  return [
    ...off,
    finding('module-declared-twice', {
      where: { subject: key, origin: second.origin },
      reason,
      members: [`${modules.length}`],
    }),
  ];
}
