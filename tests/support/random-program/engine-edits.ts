import type { Dice } from '../dice';
import { ownTexts, type Part, type Program } from './program';

/** Edits that concern the engine more than the service. */
export const engineEditKinds = [
  'change provider',
  'write what check refuses',
  'ignore changes',
  'link',
  'replace on changes',
  'exchange modules',
] as const;

export type EngineEditKind = (typeof engineEditKinds)[number];

export function engineEdited(program: Program, kind: EngineEditKind, dice: Dice): Program {
  if (kind === 'exchange modules') return exchanged(program);
  const part = dice.maybe(program);
  if (part === undefined) return program;
  const earlier = program.slice(0, program.indexOf(part));
  const now = kind === 'link' ? linked(part, earlier, dice) : editedPart(part, kind, dice);
  return program.map((other) => (other === part ? now : other));
}

function editedPart(
  part: Part,
  kind: Exclude<EngineEditKind, 'exchange modules' | 'link'>,
  dice: Dice,
): Part {
  switch (kind) {
    case 'change provider': {
      const { provider, ...rest } = part;
      return provider === undefined ? { ...rest, provider: dice.pick(['one', 'two']) } : rest;
    }
    case 'write what check refuses':
      return { ...part, isRefused: true };
    case 'ignore changes':
      return part.kind === 'rule' ? { ...part, ignoredText: dice.pick(ownTexts) } : part;
    case 'replace on changes':
      return { ...part, replaceOnChanges: part.replaceOnChanges !== true };
  }
}

function linked(part: Part, earlier: Program, dice: Dice): Part {
  const target = dice.maybe(earlier);
  if (target === undefined) return part;
  return { ...part, dependsOn: [target.name], link: dice.pick(['replace', 'change']) };
}

/** Two modules of one kind swap places, and each takes its content with it. */
function exchanged(program: Program): Program {
  const [one, other] = program.flatMap((part) => (part.kind === 'edge' ? [part] : []));
  if (one === undefined || other === undefined) return program;
  return program.map((part) => {
    if (part === one) return { ...one, edge: other.edge };
    return part === other ? { ...other, edge: one.edge } : part;
  });
}
