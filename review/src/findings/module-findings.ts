import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import type { Pairing } from '../model/by-subject';
import { pairsOf } from '../model/by-subject';
import { nounOf } from '../model/read-modules';
import type { StackChange } from '../model/snapshot';
import { MODULE_TYPES, type ModuleType } from '../preview/resource-type';
import { foreign, list, say, trusted } from '../text/sentence';
import type { Finding } from './finding';
import { finding } from './finding';

/** The effect of a change on whole modules: removed, or switched off. */
export const moduleChangeFindings = ({ before, after }: StackChange): Finding[] =>
  MODULE_TYPES.flatMap((type) => pairsOf(before.modules[type], after.modules[type]).flatMap(lostProtection));

function lostProtection(pairing: Pairing<ModuleDeclaration>): Finding[] {
  const [before, after] = [pairing.before[0], pairing.after[0]];
  if (!before) return [];
  const noun = trusted(nounOf(before.type));
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

/** Oddities of the modules that one side declares. */
export const moduleStateFindings = ({ modules }: Snapshot): Finding[] =>
  MODULE_TYPES.flatMap((type) =>
    [...modules[type].placed].flatMap(([key, declared]) => oddModules(type, key, declared)),
  );

/** One edge may carry modules of several kinds, so the type distinguishes their oddities. */
function oddModules(type: ModuleType, key: string, modules: readonly ModuleDeclaration[]): Finding[] {
  const noun = trusted(nounOf(type));
  const off = modules
    .filter((module) => valueOf(module.isEnabled) === false)
    .map(({ origin }) =>
      finding('module-off', {
        where: { subject: key, origin, property: 'enabled' },
        reason: say`The ${noun} of ${foreign(key)} is declared with enabled: false, so it protects nothing.`,
        members: [type],
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
      members: [`${type} ${modules.length}`],
    }),
  ];
}
