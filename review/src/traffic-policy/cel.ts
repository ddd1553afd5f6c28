import type { ASTNode } from '@marcbachmann/cel-js';

export type Expression = ASTNode;

// Loaded at the first expression, as only reviews of traffic policies need it.
const celLibrary = () => require('@marcbachmann/cel-js') as typeof import('@marcbachmann/cel-js');

/** Longer expressions are not parsed: they become variables, like those that are not understood. */
const MAX_LENGTH = 20_000;

/** The parser may differ from the service: a carriage return ends a comment in CEL, and a raw text ends at the next quote. */
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

/** Shared only by equal trees; undefined for one that is too deep. (The library's writer omits parentheses that matter.) */
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

// The grammar of CEL as its language definition publishes it (cel-spec, doc/langdef.md, "Syntax"). Parsers accept more: a text
// that the grammar refuses may be refused by the service, or mean something else there.

const BINARY = ['||', '&&', '<', '<=', '>=', '>', '==', '!=', 'in', '+', '-', '*', '/', '%'];
const SELECTORS = ['selector', 'reserved'];
const CONSTANTS = ['true', 'false', 'null'];
const RESERVED =
  /^(?:as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$/;

const ESCAPE = [
  String.raw`[abfnrtv\\?"'${'`'}]`,
  '[xX][0-9a-fA-F]{2}',
  '[0-3][0-7]{2}',
  // No half of a surrogate pair, and nothing beyond the last code point.
  'u(?![dD][89a-fA-F])[0-9a-fA-F]{4}',
  'U(?!0000[dD][89a-fA-F])00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4}',
].join('|');

const QUOTED = ['"', "'"].flatMap((quote) => [
  `[rR]${quote.repeat(3)}[^]*?${quote.repeat(3)}`,
  `[rR]${quote}[^${quote}\\r\\n]*${quote}`,
  `${quote.repeat(3)}(?:(?!${quote.repeat(3)})[^\\\\]|\\\\(?:${ESCAPE}))*${quote.repeat(3)}`,
  `${quote}(?:[^${quote}\\\\\\r\\n]|\\\\(?:${ESCAPE}))*${quote}`,
]);

/** The longest form first; a comment may end with the text. A sign is a token of its own, so `!-1`, which no type has, is refused. */
const TOKEN = new RegExp(
  [
    String.raw`(?<ignored>[\t\n\f\r ]+|//[^\n]*(?:\n|$))`,
    `(?<literal>[bB]?(?:${QUOTED.join('|')})|0x[0-9a-fA-F]+[uU]?|\\d*\\.\\d+(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+|\\d+[uU]?)`,
    '(?<word>[_a-zA-Z][_a-zA-Z0-9]*)',
    String.raw`(?<sign>\|\||&&|[<>=!]=|[-<>!+*/%?:.,()[\]{}])`,
  ].join('|'),
  'y',
);

export function isExpression(text: string): boolean {
  const tokens = tokensOf(text);
  return tokens !== undefined && new Productions(tokens).isWhole();
}

/** Signs and keywords as they are, other words as `selector` or, if reserved, `reserved`; undefined if something is no token. */
function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length;) {
    const { literal, word, sign } = TOKEN.exec(text)?.groups ?? {};
    if (TOKEN.lastIndex === 0) return undefined;
    if (sign !== undefined || word === 'in') tokens.push(sign ?? 'in');
    else if (literal !== undefined || CONSTANTS.includes(word ?? '')) tokens.push('literal');
    else if (word !== undefined) tokens.push(RESERVED.test(word) ? 'reserved' : 'selector');
  }
  return tokens;
}

/** A method for each production that is not a list of another; precedence makes no difference to what is accepted. */
class Productions {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  isWhole(): boolean {
    return this.isExpr() && this.at === this.tokens.length;
  }

  private readonly isExpr = (): boolean => {
    while (this.isChain()) {
      if (!this.take('?')) return true;
      if (!this.isChain() || !this.take(':')) return false;
    }
    return false;
  };

  private isChain(): boolean {
    do if (!this.isUnary()) return false;
    while (this.take(...BINARY));
    return true;
  }

  private isUnary(): boolean {
    const sign = ['!', '-'].find((each) => this.take(each));
    while (sign !== undefined && this.take(sign));
    return this.isMember();
  }

  private isMember(): boolean {
    if (!this.isPrimary()) return false;
    for (;;) {
      if (this.take('[')) {
        if (!this.isExpr() || !this.take(']')) return false;
      } else if (!this.take('.')) {
        return true;
      } else if (!this.take(...SELECTORS) || !this.mayBeCall()) {
        return false;
      }
    }
  }

  private isPrimary(): boolean {
    if (this.take('(')) return this.isExpr() && this.take(')');
    if (this.take('[')) return this.isList(']', this.isExpr);
    if (this.take('{')) return this.isList('}', () => this.isExpr() && this.take(':') && this.isExpr());
    if (this.take('literal')) return true;
    this.take('.');
    return this.isMessage() || (this.take('selector') && this.mayBeCall());
  }

  private isMessage(): boolean {
    const begin = this.at;
    while (this.take(...SELECTORS)) {
      if (this.take('{'))
        return this.isList('}', () => this.take(...SELECTORS) && this.take(':') && this.isExpr());
      if (!this.take('.')) break;
    }
    this.at = begin;
    return false;
  }

  private mayBeCall(): boolean {
    return !this.take('(') || this.isList(')', this.isExpr);
  }

  /** Items, and then a comma if they are no arguments. */
  private isList(end: string, isItem: () => boolean): boolean {
    if (![end, ','].includes(this.tokens[this.at] ?? end)) {
      do if (!isItem()) return false;
      while (this.tokens[this.at + 1] !== end && this.take(','));
    }
    if (end !== ')') this.take(',');
    return this.take(end);
  }

  private take(...tokens: readonly string[]): boolean {
    const isThere = tokens.some((token) => token === this.tokens[this.at]);
    if (isThere) this.at += 1;
    return isThere;
  }
}
