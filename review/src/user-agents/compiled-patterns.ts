import { patternLibrary } from 'pulumi-edge-policy/internal/values/user-agent-pattern';

export interface CompiledPattern {
  /** Whether the pattern occurs anywhere in the text, in linear time whatever the two are. */
  finds(text: string): boolean;
}

const compiled = new Map<string, CompiledPattern | undefined>();
/** Longer patterns are not judged: compiling one of a megabyte takes seconds. */
const MAX_LENGTH = 20_000;
/** Nor are patterns that grow as large as this by counts such as `.{1000}`. */
const MAX_SIZE = 100_000;
const MAX_KNOWN = 500;

export function compilePattern(pattern: string): CompiledPattern | undefined {
  if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern));
  return compiled.get(pattern);
}

function compile(pattern: string): CompiledPattern | undefined {
  const expression = expressionOf(pattern);
  const size = expression?.programSize() ?? 0;
  if (!expression || size > MAX_SIZE) return undefined;
  const known = new Map<string, boolean>();
  return {
    finds: (text) => {
      const earlier = known.get(text);
      if (earlier !== undefined) return earlier;
      const isFound = expression.matcher(text).find();
      // Cached, as routes often have the same patterns and are tested with the same clients.
      if (known.size < MAX_KNOWN) known.set(text, isFound);
      return isFound;
    },
  };
}

function expressionOf(pattern: string) {
  try {
    if (pattern.length > MAX_LENGTH) return undefined;
    return patternLibrary().RE2JS.compile(pattern);
  } catch {
    return undefined;
  }
}
