import type { ASTNode } from '@marcbachmann/cel-js';
import { isExpression } from './cel-grammar';

/** A node of the syntax tree of an expression. */
export type Expression = ASTNode;

// Loaded at the first expression, as only reviews of traffic policies need it.
const celLibrary = () => require('@marcbachmann/cel-js') as typeof import('@marcbachmann/cel-js');

/** Longer expressions are not parsed: they become variables, like those that are not understood. */
const MAX_LENGTH = 20_000;

/**
 * Texts that the parser may read otherwise than the service: a carriage return ends a comment by the grammar of CEL, and a raw
 * text ends at the next quote, whatever precedes it.
 */
const isReadInTwoWays = (text: string): boolean =>
  /\r(?!\n)/.test(text) || (/\b[rR]["']/.test(text) && /\\["']/.test(text));

/** Parses an expression; undefined if the grammar or the parser refuses it, it is too long, too deep, or may be read in two ways. */
export function parseExpression(text: string): Expression | undefined {
  if (text.length > MAX_LENGTH || isReadInTwoWays(text)) return undefined;
  try {
    return isExpression(text) ? celLibrary().parse(text).ast : undefined;
  } catch {
    // A chain of thousands of `!` overflows the stack of the parser; its own limits count parentheses only.
    return undefined;
  }
}

/**
 * A text that two expressions share only if their trees are equal: spacing, quotes and superfluous parentheses do not count.
 * Undefined for a tree that is too deep. (The library's own writer omits parentheses that matter.)
 */
export function canonicalText(expression: Expression): string | undefined {
  try {
    return JSON.stringify(treeOf(expression));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

type Part = Expression | Expression['args'] | readonly Part[];

/** A node is its operator and a list, a list is one of lists, and a name or literal is its type and its text. */
function treeOf(part: Part): unknown {
  if (isList(part)) return part.map(treeOf);
  if (typeof part !== 'object' || part === null) return [typeof part, String(part)];
  return 'op' in part ? [part.op, treeOf(part.args)] : ['unsigned', String(part)];
}

const isList = (part: Part): part is readonly Part[] => Array.isArray(part);
