import { patternLibrary } from 'pulumi-edge-policy/internal/values/user-agent-pattern';

/** A pattern that RE2 understands. */
export interface CompiledPattern {
  readonly pattern: string;
  /** Whether the pattern occurs anywhere in the text, in linear time whatever the two are. */
  finds(text: string): boolean;
}

const compiled = new Map<string, CompiledPattern | undefined>();
const COMPILED_LIMIT = 20_000;
/** Longer patterns are taken for none that can be judged: compiling one of a megabyte takes seconds. */
const MAX_LENGTH = 20_000;

/** Compiles a pattern, or returns nothing for one that RE2 refuses. */
export function compilePattern(pattern: string): CompiledPattern | undefined {
  if (!compiled.has(pattern)) {
    if (compiled.size >= COMPILED_LIMIT) compiled.clear();
    compiled.set(pattern, compile(pattern));
  }
  return compiled.get(pattern);
}

function compile(pattern: string): CompiledPattern | undefined {
  try {
    if (pattern.length > MAX_LENGTH) return undefined;
    const expression = patternLibrary().RE2JS.compile(pattern);
    return { pattern, finds: (text) => expression.matcher(text).find() };
  } catch {
    return undefined;
  }
}
