import type * as celModule from '@marcbachmann/cel-js';

/** A node of the syntax tree of an expression. */
export type Expression = celModule.ASTNode;

let library: typeof celModule | undefined;

// Loaded at the first expression, as only reviews of traffic policies need it.
function celLibrary(): typeof celModule {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the only synchronous way to load late
  library ??= require('@marcbachmann/cel-js') as typeof celModule;
  return library;
}

/** Longer expressions are not parsed: they become variables, like those that are not understood. */
const MAX_LENGTH = 20_000;

/** Parses an expression; undefined if it is no CEL, too long or too deep. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return celLibrary().parse(text).ast;
  } catch {
    // A chain of thousands of `!` overflows the stack of the parser; its own limits count parentheses only.
    return undefined;
  }
}

/** The text of an expression in a normal form: spacing, quotes and superfluous parentheses do not count. */
export function canonicalText(expression: Expression): string | undefined {
  try {
    return celLibrary().serialize(expression);
  } catch {
    return undefined;
  }
}
