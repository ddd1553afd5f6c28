import type { Part, Program } from './program';

/** What people write that concerns the engine more than the service. */
export const engineEditKinds = [
  'change provider',
  'write what check refuses',
  'ignore changes',
  'link',
  'replace on changes',
  'exchange modules',
] as const;

export type EngineEditKind = (typeof engineEditKinds)[number];

interface Choice {
  readonly which: number;
  readonly how: number;
}

export function engineEdited(program: Program, kind: EngineEditKind, { which, how }: Choice): Program {
  if (kind === 'exchange modules') return exchanged(program);
  const part = program[which % Math.max(1, program.length)];
  if (part === undefined) return program;
  const now = editedPart(program, part, { kind, how });
  return program.map((other) => (other === part ? now : other));
}

function editedPart(
  program: Program,
  part: Part,
  { kind, how }: { kind: Exclude<EngineEditKind, 'exchange modules'>; how: number },
): Part {
  switch (kind) {
    case 'change provider': {
      const { provider, ...rest } = part;
      return provider === undefined ? { ...rest, provider: how % 2 === 0 ? 'one' : 'two' } : rest;
    }
    case 'write what check refuses':
      return { ...part, isRefused: true };
    case 'ignore changes':
      return part.kind === 'rule' ? { ...part, ignoredText: how % 4 } : part;
    case 'replace on changes':
      return { ...part, replaceOnChanges: part.replaceOnChanges !== true };
    case 'link': {
      const earlier = program.slice(0, program.indexOf(part));
      const target = earlier[how % Math.max(1, earlier.length)];
      if (target === undefined) return part;
      return { ...part, dependsOn: [target.name], link: how % 2 === 0 ? 'replace' : 'change' };
    }
  }
}

/** Two modules of one kind change places, and each takes its content with it. */
function exchanged(program: Program): Program {
  const [one, other] = program.flatMap((part) => (part.kind === 'edge' ? [part] : []));
  if (one === undefined || other === undefined) return program;
  return program.map((part) => {
    if (part === one) return { ...one, edge: other.edge };
    return part === other ? { ...other, edge: one.edge } : part;
  });
}
