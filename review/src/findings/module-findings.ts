import type { Origin, Snapshot } from '../model/declarations';
import type { Known } from '../model/known';
import { valueOf } from '../model/known';
import type { Pairing } from '../model/by-subject';
import { pairsOf } from '../model/by-subject';
import type { StackChange } from '../model/snapshot';
import { foreign, list, say, trusted } from '../text/sentence';
import type { Sentence } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

interface ModuleDeclaration {
  readonly origin: Origin;
  readonly isEnabled: Known<boolean>;
}

const TRAFFIC_POLICY = trusted('traffic policy');
const USER_AGENT_FILTER = trusted('user agent filter');

/** What the change does to whole modules: gone, or off. */
export function moduleChangeFindings({ before, after }: StackChange): Finding[] {
  const trafficPolicies = pairsOf(before.trafficPolicies, after.trafficPolicies);
  const userAgentFilters = pairsOf(before.userAgentFilters, after.userAgentFilters);
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
    const where = { subject: pairing.subject, origin: before.origin };
    const state = wasOn ? trusted('is removed') : trusted('is removed, which was off');
    const reason = say`The ${noun} of ${foreign(pairing.subject)} ${state}.`;
    return [finding('module-removed', { where, reason, ...(!wasOn && { severity: 'low' }) })];
  }
  if (!wasOn || valueOf(after.isEnabled) !== false) return [];
  const where = { subject: pairing.subject, origin: after.origin, property: 'enabled' };
  return [
    finding('module-disabled', {
      where,
      reason: say`The ${noun} of ${foreign(pairing.subject)} is switched off.`,
    }),
  ];
}

/** What is odd about the modules that one side declares. */
export const moduleStateFindings = ({ trafficPolicies, userAgentFilters }: Snapshot): Finding[] => [
  ...[...trafficPolicies.placed].flatMap(([key, modules]) => oddModules(key, modules, TRAFFIC_POLICY)),
  ...[...userAgentFilters.placed].flatMap(([key, modules]) => oddModules(key, modules, USER_AGENT_FILTER)),
];

function oddModules(key: string, modules: readonly ModuleDeclaration[], noun: Sentence): Finding[] {
  const off = modules
    .filter((module) => valueOf(module.isEnabled) === false)
    .map(({ origin }) =>
      finding('module-off', {
        where: { subject: key, origin, property: 'enabled' },
        reason: say`The ${noun} of ${foreign(key)} is declared with enabled: false, so it protects nothing.`,
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
