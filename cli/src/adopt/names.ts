const LONGEST_WORDS = 40;

/** A resource name made from a text: lower-case ASCII words joined with dashes, cut at a word; `undefined` if there is none. */
export function nameFromText(text: string): string | undefined {
  const words = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  if (words === null) return undefined;
  const name = words.join('-');
  return CUT_AT_A_WORD.exec(name)?.[0] ?? name.slice(0, LONGEST_WORDS);
}

const CUT_AT_A_WORD = new RegExp(`^[a-z0-9-]{1,${LONGEST_WORDS}}(?![a-z0-9])`);

/** A resource name for a rule without a usable description: `allow-203.0.113.0-24`. */
export const nameFromCidr = (action: string, cidr: string): string =>
  `${action}-${cidr.replace(/[^0-9A-Za-z.]+/g, '-').replace(/^-/, '')}`;

/** The distinguishing part of an identifier: all of a short one, the end of a long one. */
export function shortId(id: string): string {
  const opaque = id.slice(id.indexOf('_') + 1).replace(/[^0-9A-Za-z]+/g, '-');
  return opaque.length <= 16 ? opaque : opaque.slice(-8);
}

/** Gives each name out once: if one is taken, a number is added. */
export class NameGiver {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.taken = new Set(taken);
  }

  give(name: string): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number += 1) free = `${name}-${number}`;
    this.taken.add(free);
    return free;
  }
}
