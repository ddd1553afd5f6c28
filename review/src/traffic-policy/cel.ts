import type * as celModule from '@marcbachmann/cel-js';

/** A node of the syntax tree of an expression. */
export type Expression = celModule.ASTNode;

let library: typeof celModule | undefined;

// Loaded at the first expression: nothing but a review of traffic policies needs it.
function celLibrary(): typeof celModule {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the only synchronous way to load late
  library ??= require('@marcbachmann/cel-js') as typeof celModule;
  return library;
}

/** Longer expressions are not read: they stand for themselves, as those that are not understood. */
const MAX_LENGTH = 20_000;

/** Reads an expression, or returns nothing for one that is no CEL, too long or too deep. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return celLibrary().parse(text).ast;
  } catch {
    // A chain of thousands of `!` overflows the stack of the parser; its own limits count parentheses only.
    return undefined;
  }
}

/** The text of an expression in one spelling: spacing, quotes and superfluous parentheses do not count. */
export function canonicalText(expression: Expression): string | undefined {
  try {
    return celLibrary().serialize(expression);
  } catch {
    return undefined;
  }
}
