import type { Range } from './character-ranges';
import { classOf, complementOf, END, literal, negationOf, PERL, START } from './character-ranges';

/**
 * Translates an RE2 pattern into a JavaScript one with the same meaning, which is all that the automata library reads. Both
 * ends of the text are characters of their own, so that anchors are characters, too. Constructs that may differ between the two
 * (word boundaries, classes by name, flags in the middle), and rare ones (quoted text, characters by number), are not translated.
 */
export interface PatternSource {
  readonly source: string;
  readonly isCaseFolded: boolean;
}

/** Longer patterns are not translated. */
const MAX_LENGTH = 2_000;

/** The translation; undefined for a pattern that has none. */
export function translatePattern(pattern: string): PatternSource | undefined {
  if (pattern.length > MAX_LENGTH) return undefined;
  const flags = /^\(\?([is]+)\)/.exec(pattern);
  const rest = pattern.slice(flags?.[0].length ?? 0);
  const settings = {
    isCaseFolded: flags?.[1]?.includes('i') === true,
    dotsMeanAll: flags?.[1]?.includes('s') === true,
  };
  try {
    return { source: new Translator(rest, settings).translate(), isCaseFolded: settings.isCaseFolded };
  } catch (error) {
    if (error instanceof UntranslatableError) return undefined;
    throw error;
  }
}

class UntranslatableError extends Error {}

class Translator {
  private readonly characters: readonly string[];
  private at = 0;
  private written = '';
  private canRepeat = false;

  constructor(
    pattern: string,
    private readonly settings: { readonly isCaseFolded: boolean; readonly dotsMeanAll: boolean },
  ) {
    this.characters = Array.from(pattern);
  }

  translate(): string {
    while (this.at < this.characters.length) this.readOne();
    return this.written;
  }

  private readOne(): void {
    const character = this.take();
    if (character === '^') this.anchor(START);
    else if (character === '$') this.anchor(END);
    else if (character === '.') this.put(negationOf(this.settings.dotsMeanAll ? [] : [[0x0a, 0x0a]]));
    else if (character === '[') this.readClass();
    else if (character === '\\') this.readEscape();
    else if (character === '(') this.readGroup();
    else if (character === ')') this.put(')');
    else if (character === '|') this.alternate();
    else if (character === '{') this.readCount();
    else if ('*+?'.includes(character)) this.repeat(character);
    else this.put(literal(character.codePointAt(0) ?? 0));
  }

  private alternate(): void {
    this.written += '|';
    this.canRepeat = false;
  }

  private take(): string {
    const character = this.characters[this.at];
    if (character === undefined) throw new UntranslatableError();
    this.at += 1;
    return character;
  }

  private put(text: string): void {
    this.written += text;
    this.canRepeat = true;
  }

  /** A repeated anchor would be translated into several characters, while it is a position between two of them. */
  private anchor(end: number): void {
    this.written += literal(end);
    this.canRepeat = false;
  }

  private repeat(quantifier: string): void {
    if (!this.canRepeat) throw new UntranslatableError();
    this.written += quantifier;
    if (this.characters[this.at] === '?') this.at += 1;
    this.canRepeat = false;
  }

  private readCount(): void {
    const count = /^(\d+(?:,\d*)?)\}/.exec(this.characters.slice(this.at, this.at + 12).join(''));
    if (!count) {
      this.put(literal(0x7b));
      return;
    }
    this.at += count[0].length;
    this.repeat(`{${count[0]}`);
  }

  private readGroup(): void {
    if (this.characters[this.at] === '?') {
      const opening = /^\?(?::|P?<[A-Za-z_]\w*>)/.exec(this.characters.slice(this.at, this.at + 80).join(''));
      if (!opening) throw new UntranslatableError();
      this.at += opening[0].length;
    }
    this.written += '(?:';
    this.canRepeat = false;
  }

  private readEscape(): void {
    const next = this.characters[this.at];
    if (next === 'A' || next === 'z') {
      this.at += 1;
      this.anchor(next === 'A' ? START : END);
      return;
    }
    const ranges = this.escapedRanges();
    this.put(classOf(ranges));
  }

  /** An escape, in a class or outside one. */
  private escapedRanges(): readonly Range[] {
    const character = this.take();
    const perl = PERL[character.toLowerCase()];
    if (perl) {
      if (character === character.toLowerCase()) return perl;
      // Case folding and negation do not commute: the dialects differ.
      if (character === 'W' && this.settings.isCaseFolded) throw new UntranslatableError();
      return complementOf(perl);
    }
    if (!/^[!-/:-@[-`{-~ ]$/.test(character)) throw new UntranslatableError();
    const code = character.charCodeAt(0);
    return [[code, code]];
  }

  private readClass(): void {
    const isNegated = this.characters[this.at] === '^';
    if (isNegated) this.at += 1;
    const ranges: Range[] = [];
    for (let isFirst = true; isFirst || this.characters[this.at] !== ']'; isFirst = false)
      ranges.push(...this.readItem());
    this.at += 1;
    this.put(isNegated ? negationOf(ranges) : classOf(ranges));
  }

  private readItem(): readonly Range[] {
    // A class of a name, such as `[:alpha:]`.
    if (this.characters[this.at] === '[' && this.characters[this.at + 1] === ':')
      throw new UntranslatableError();
    const first = this.readMember();
    const isRange = this.characters[this.at] === '-' && this.characters[this.at + 1] !== ']';
    if (!isRange) return first;
    this.at += 1;
    const last = this.readMember();
    const [low, high] = [first[0]?.[0] ?? 0, last[0]?.[0] ?? 0];
    if (first.length + last.length !== 2 || first[0]?.[1] !== low || last[0]?.[1] !== high || low > high) {
      throw new UntranslatableError();
    }
    return [[low, high]];
  }

  private readMember(): readonly Range[] {
    const character = this.take();
    if (character === '\\') return this.escapedRanges();
    const code = character.codePointAt(0) ?? 0;
    return [[code, code]];
  }
}
