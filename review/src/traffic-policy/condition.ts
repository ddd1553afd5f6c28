import { addressTest, whenIn } from './client-address';
import { canonicalText, type Expression, parseExpression } from './cel';
import { allOf, ALWAYS, anyOf, type Formula, NEVER, not, sizeOf, whenIs, whenIsNot } from './formula';
import { isInteger64, isPure } from './purity';

/** Twice as many parts as the longest expression that is parsed can have without nesting. */
const LARGEST = 20_000;

/** Where a rule is, as far as that matters: what it asks may have another answer in another phase, or after other actions. */
export type Place = `@${number}`;

/** Names the variables for conditions that are not about the address, one object per edge. A rule with a failing one does not apply. */
export class Conditions {
  /** How often each impure expression has occurred at each place of the document that is being read. */
  private met = new Map<string, number>();
  private readonly known = new Map<string, Formula>();
  private readonly places = new Map<string, Place>();

  whenAll(expressions: readonly string[], place: Place): Formula {
    const [first, ...others] = expressions;
    if (first !== undefined && others.length === 0) return this.when(first, place);
    return allOf(expressions.map((expression) => this.when(expression, place)));
  }

  /** An impure expression is a new condition at each occurrence; both documents match them by place, so only a surplus is a change. */
  beginDocument(): void {
    this.met = new Map();
  }

  /** The place that these parts describe: the same one in both documents. */
  place(...parts: readonly unknown[]): Place {
    const text = JSON.stringify(parts);
    const place = this.places.get(text) ?? `@${this.places.size}`;
    this.places.set(text, place);
    return place;
  }

  private namesFor(text: string, place: Place): () => string {
    const where = `${place} of ${text}`;
    const times = (this.met.get(where) ?? 0) + 1;
    this.met.set(where, times);
    let part = 0;
    return () => {
      part += 1;
      return `#${times}.${part} ${where}`;
    };
  }

  private when(text: string, place: Place): Formula {
    const known = this.known.get(text);
    if (known) return known;
    const expression = parseExpression(text);
    // A text that is no CEL for the parser may be some for the service, with another result each time.
    if (!expression) return whenIs(this.namesFor(text, place)(), 'true');
    const reading = new Reading(this.namesFor(text, place));
    const holds = reading.when(expression, true);
    // One that is too complex to analyse becomes a variable, like one that is not understood.
    const formula = sizeOf(holds) > LARGEST ? reading.atom(expression, true) : holds;
    if (isPure(expression)) this.known.set(text, formula);
    return formula;
  }
}

/** Where one expression is true, and where it is false; if it fails, neither, unless the other side of `&&` or `||` decides alone. */
class Reading {
  private readonly names = new Map<Expression, string>();
  private readonly read = { true: new Map<Expression, Formula>(), false: new Map<Expression, Formula>() };

  constructor(private readonly freshName: () => string) {}

  /** Shared parts of nested `? :` are analysed once. */
  when(node: Expression, wanted: boolean): Formula {
    const read = this.read[wanted ? 'true' : 'false'];
    const known = read.get(node);
    if (known) return known;
    const formula = this.formulaOf(node, wanted);
    read.set(node, formula);
    return formula;
  }

  private formulaOf(node: Expression, wanted: boolean): Formula {
    const is = (part: Expression) => this.when(part, wanted);
    switch (node.op) {
      case '!_':
        return this.when(node.args, !wanted);
      case '&&':
        return wanted ? allOf(operandsOf(node).map(is)) : anyOf(operandsOf(node).map(is));
      case '||':
        return wanted ? anyOf(operandsOf(node).map(is)) : allOf(operandsOf(node).map(is));
      case '?:': {
        const [condition, then, otherwise] = node.args;
        return anyOf([
          allOf([this.when(condition, true), is(then)]),
          allOf([this.when(condition, false), is(otherwise)]),
        ]);
      }
      case '!=':
        return this.comparison(node.args, node, !wanted);
      case '==':
        return this.comparison(node.args, node, wanted);
      default:
        return this.leaf(node, wanted);
    }
  }

  /** `a != b` holds exactly if `a == b` is false. */
  private comparison(
    [left, right]: readonly [Expression, Expression],
    node: Expression,
    wanted: boolean,
  ): Formula {
    const literals = [literalOf(left), literalOf(right)] as const;
    if (literals[0] && literals[0].type === literals[1]?.type) {
      return (literals[0].text === literals[1].text) === wanted ? ALWAYS : NEVER;
    }
    const addresses = addressTest(node);
    if (addresses) return truth(whenIn(addresses), wanted);
    const text = stringLiteralOf(right) ?? stringLiteralOf(left);
    const term = stringLiteralOf(right) === undefined ? right : left;
    if (text !== undefined) return this.termIs(term, [text], wanted);
    return this.atom(node, node.op === '!=' ? !wanted : wanted);
  }

  private leaf(node: Expression, wanted: boolean): Formula {
    if (node.op === 'value' && typeof node.args === 'boolean') return node.args === wanted ? ALWAYS : NEVER;
    const addresses = addressTest(node);
    if (addresses) return truth(whenIn(addresses), wanted);
    if (node.op === 'in' && node.args[1].op === 'list') {
      const texts = node.args[1].args.map(stringLiteralOf);
      const known = texts.filter((text) => text !== undefined);
      const needle = literalOf(node.args[0]);
      if (known.length === texts.length) {
        if (needle === undefined) return this.termIs(node.args[0], known, wanted);
        if (needle.type === 'string') return known.includes(needle.text) === wanted ? ALWAYS : NEVER;
      }
    }
    return this.atom(node, wanted);
  }

  /** All comparisons of a text with literals share one variable. */
  private termIs(term: Expression, texts: readonly string[], wanted: boolean): Formula {
    const values = texts.map((text) => `=${text}`);
    const name = `value of ${this.nameOf(term)}`;
    return wanted ? whenIs(name, ...values) : whenIsNot(name, 'error', ...values);
  }

  /** A condition that is not about the address. */
  atom(node: Expression, wanted: boolean): Formula {
    return whenIs(this.nameOf(node), wanted ? 'true' : 'false');
  }

  private nameOf(node: Expression): string {
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const name = (isPure(node) ? canonicalText(node) : undefined) ?? this.freshName();
    this.names.set(node, name);
    return name;
  }
}

/** All operands of a chain such as `a || b || c`, which the parser nests. */
function operandsOf(node: Extract<Expression, { op: '&&' | '||' }>): Expression[] {
  const operands: Expression[] = [];
  const open: Expression[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.op === node.op) open.push(next.args[1], next.args[0]);
    else operands.push(next);
  }
  return operands;
}

const truth = (formula: Formula, wanted: boolean): Formula => (wanted ? formula : not(formula));

const stringLiteralOf = (node: Expression): string | undefined =>
  node.op === 'value' && typeof node.args === 'string' ? node.args : undefined;

/** Undefined for an integer beyond 64 bits, an error. It depends on the service whether literals of two types are unequal or an error. */
function literalOf({ op, args }: Expression): { type: string; text: string } | undefined {
  if (op !== 'value' || !['string', 'boolean', 'bigint'].includes(typeof args)) return undefined;
  if (!isInteger64(args)) return undefined;
  return { type: typeof args, text: String(args) };
}
