/** Why a pattern is not RE2 syntax, or undefined if it is. Reads the syntax only; nothing is ever matched. */
export function re2Problem(pattern: string): string | undefined {
  try {
    new Re2Reader(pattern).readAll();
    return undefined;
  } catch (error) {
    if (error instanceof Re2SyntaxError) return error.message;
    throw error;
  }
}

class Re2SyntaxError extends Error {}

const MAXIMUM_REPEAT = 1000;
const posixClasses = new Set(
  ['alnum', 'alpha', 'ascii', 'blank', 'cntrl', 'digit', 'graph', 'lower', 'print', 'punct', 'space', 'upper']
    .concat(['word', 'xdigit'])
    .flatMap((name) => [name, `^${name}`]),
);

class Re2Reader {
  private position = 0;
  private readonly groupNames = new Set<string>();

  constructor(private readonly pattern: string) {}

  readAll(): void {
    this.readAlternatives(0);
    if (this.position < this.pattern.length) throw new Re2SyntaxError('unexpected )');
  }

  /** Returns the largest product of nested repeat counts, which RE2 limits to 1000. */
  private readAlternatives(depth: number): number {
    if (depth > 1000) throw new Re2SyntaxError('expression nests too deeply');
    let largest = 1;
    let last: number | undefined;
    let isRepeated = false;
    while (this.position < this.pattern.length && this.rest(1) !== ')') {
      const repeat = this.readRepeat();
      if (repeat !== undefined) last = checkRepeat(repeat, last, isRepeated);
      else if (this.take('|')) last = undefined;
      else last = this.readAtom(depth) ?? last;
      isRepeated = repeat !== undefined;
      largest = Math.max(largest, last ?? 1);
    }
    return largest;
  }

  /** Reads one repetition operator, lazy mark included; undefined if there is none here. */
  private readRepeat(): number | undefined {
    let count: number | undefined;
    if (this.take('*') || this.take('+') || this.take('?')) count = 1;
    else {
      const braces = this.match(/\{(\d{1,9})(,(\d{0,9}))?\}/y);
      if (braces === undefined) return undefined;
      const minimum = Number(braces[1]);
      const maximum = braces[3] === undefined || braces[3] === '' ? minimum : Number(braces[3]);
      if (maximum < minimum || maximum > MAXIMUM_REPEAT) throw new Re2SyntaxError('invalid repeat count');
      count = maximum;
    }
    this.take('?');
    return count;
  }

  /** Returns the repeat count within the atom, or undefined for what stands for no text and cannot be repeated. */
  private readAtom(depth: number): number | undefined {
    if (this.take('(')) return this.readGroup(depth);
    if (this.take('\\Q')) return this.readQuoted();
    if (this.take('[')) this.readClass();
    else if (this.rest(1) === '\\') this.readEscape({ isInClass: false });
    else this.position += this.characterLength();
    return 1;
  }

  private readGroup(depth: number): number | undefined {
    if (this.take('?')) {
      if (this.readName()) return this.readGroupBody(depth);
      const flags = this.match(/(?:[imsU]*(?:-[imsU]+)?)([:)])/y);
      if (flags === undefined) throw new Re2SyntaxError('invalid or unsupported group syntax');
      if (flags[1] === ')') return undefined;
    }
    return this.readGroupBody(depth);
  }

  private readName(): boolean {
    const name = this.match(/P?<([A-Za-z0-9_]+)>/y)?.[1];
    if (name === undefined) return false;
    if (this.groupNames.has(name)) throw new Re2SyntaxError('duplicate group name');
    this.groupNames.add(name);
    return true;
  }

  private readGroupBody(depth: number): number {
    const largestRepeat = this.readAlternatives(depth + 1);
    if (!this.take(')')) throw new Re2SyntaxError('missing closing )');
    return largestRepeat;
  }

  private readQuoted(): number | undefined {
    const start = this.position;
    const end = this.pattern.indexOf('\\E', start);
    this.position = end === -1 ? this.pattern.length : end + 2;
    return end === start || start === this.pattern.length ? undefined : 1;
  }

  private readClass(): void {
    this.take('^');
    let isFirst = true;
    while (isFirst || this.rest(1) !== ']') {
      isFirst = false;
      if (this.position >= this.pattern.length) throw new Re2SyntaxError('missing closing ]');
      const posix = this.match(/\[:([^:\]]*):\]/y)?.[1];
      if (posix === undefined) this.readClassItem();
      else if (!posixClasses.has(posix)) throw new Re2SyntaxError('invalid character class range');
    }
    this.take(']');
  }

  private readClassItem(): void {
    const low = this.readClassCharacter();
    if (this.rest(1) !== '-' || this.rest(2) === '-]' || this.rest(2) === '-') return;
    if (low === undefined) return;
    this.take('-');
    const high = this.readClassCharacter();
    if (high === undefined || high < low) throw new Re2SyntaxError('invalid character class range');
  }

  /** The code point of the character, or undefined for a class such as \d. */
  private readClassCharacter(): number | undefined {
    if (this.rest(1) === '\\') return this.readEscape({ isInClass: true });
    const codePoint = this.pattern.codePointAt(this.position);
    this.position += this.characterLength();
    return codePoint;
  }

  private readEscape(place: { isInClass: boolean }): number | undefined {
    this.take('\\');
    if (this.match(/[dDsSwW]/y) !== undefined) return undefined;
    if (!place.isInClass && this.match(/[bBAzC]/y) !== undefined) return undefined;
    const property = this.match(/[pP](?:\{\^?([A-Za-z_]+)\}|([A-Z]))/y);
    if (property !== undefined) {
      checkProperty(property[1] ?? property[2] ?? '');
      return undefined;
    }
    const control = this.match(/[aftnrv]/y)?.[0];
    if (control !== undefined) return '\x07\f\t\n\r\v'.codePointAt('aftnrv'.indexOf(control));
    const octal = this.match(/0[0-7]{0,2}|[1-7][0-7]{1,2}/y)?.[0];
    if (octal !== undefined) return parseInt(octal, 8);
    const hex = this.match(/x(?:\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2}))/y);
    if (hex !== undefined) return checkCodePoint(parseInt(hex[1] ?? hex[2] ?? '', 16));
    const literal = this.match(/[^A-Za-z0-9\u0080-\uffff]/y)?.[0];
    if (literal !== undefined) return literal.codePointAt(0);
    throw new Re2SyntaxError('invalid escape sequence');
  }

  private characterLength(): number {
    return (this.pattern.codePointAt(this.position) ?? 0) > 0xffff ? 2 : 1;
  }

  private rest(length: number): string {
    return this.pattern.slice(this.position, this.position + length);
  }

  private take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.position)) return false;
    this.position += text.length;
    return true;
  }

  private match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.pattern);
    if (found === null) return undefined;
    this.position += found[0].length;
    return found;
  }
}

/** What an operator makes of the repeat count of the atom before it. */
function checkRepeat(repeat: number, last: number | undefined, isRepeated: boolean): number {
  if (last === undefined) throw new Re2SyntaxError('missing argument to repetition operator');
  if (isRepeated) throw new Re2SyntaxError('invalid nested repetition operator');
  if (repeat * last > MAXIMUM_REPEAT) throw new Re2SyntaxError('invalid repeat count');
  return repeat * last;
}

function checkCodePoint(codePoint: number): number {
  if (codePoint > 0x10ffff) throw new Re2SyntaxError('invalid escape sequence');
  return codePoint;
}

/** RE2 knows general categories by their short names and scripts by their long ones, as ECMAScript does. */
function checkProperty(name: string): void {
  const source = name.length <= 2 ? `\\p{gc=${name}}` : `\\p{sc=${name}}`;
  try {
    if (name !== 'Any') new RegExp(source, 'u');
  } catch {
    throw new Re2SyntaxError('invalid character class range');
  }
}
