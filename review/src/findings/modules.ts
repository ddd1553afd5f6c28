import type { ModuleDeclaration, Snapshot } from '../model/declarations';
import { valueOf } from '../model/known';
import { nounOf } from '../model/read-modules';
import { MODULE_TYPES, type ModuleType } from '../preview/resource-type';
import { foreign, list, say, trusted } from '../text/sentence';
import { type Finding, findingOf } from './finding';
import { aboutChange, aboutState } from './severity';

export const moduleKinds = {
  'protection-lost': aboutChange('high', {
    extents: ['networks', 'patterns'],
    title: 'A module no longer protects anything',
    advice: 'Check that this is intended, and note when the protection returns.',
  }),
  'module-off': aboutState('low', 'one-resource', {
    title: 'A module is declared but off',
    advice: 'Set enabled to true, or remove the module.',
  }),
  'module-declared-twice': aboutState('high', 'stack', {
    title: 'One module is declared twice',
    advice:
      'Keep one declaration: the two overwrite each other, and deleting one removes the protection of both.',
  }),
};

const finding = findingOf(moduleKinds);

/** A module that has one content or another is declared once. */
export const moduleStateFindings = ({ modules }: Snapshot): Finding[] =>
  MODULE_TYPES.flatMap((type) =>
    [...modules[type].placed].flatMap(([key, declared]) =>
      oddModules(
        type,
        key,
        declared.filter(({ doubt }) => doubt === undefined),
      ),
    ),
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
