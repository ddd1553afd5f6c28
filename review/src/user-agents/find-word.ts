import { alphabetOf, type Automaton, automatonOf, END, START } from './automata';

/** Texts that at least one pattern of every group matches, and none of the others. */
export interface Cone {
  readonly found: readonly (readonly string[])[];
  readonly notFound: readonly string[];
}

/** A text of a cone; or a proof that there is none; or neither, as a limit was hit. */
export type WordSearch =
  { readonly kind: 'word'; readonly word: string } | { readonly kind: 'none' | 'undecided' };

/** How many states one search may visit: a second or two. Beyond that, its route is undecided, and others are not. */
const MAX_VISITS = 1_500_000;
const MAX_CONFIGURATIONS = 60_000;
/** A longer list is assumed to match anything if it must match, and nothing if it must not. */
const MAX_PATTERNS = 300;

/** The shortest text of a cone. Patterns without an automaton are ignored: "none" still holds, and a text has to be checked. */
export function findWord({ found, notFound }: Cone): WordSearch {
  const forbidden = new Set(notFound);
  const groups = found.map((group) => group.filter((pattern) => !forbidden.has(pattern)));
  if (groups.some((group) => group.length === 0)) return { kind: 'none' };
  const wanted = groups.flatMap((group) => {
    const automata = group.length > MAX_PATTERNS ? [undefined] : group.map((pattern) => automatonOf(pattern));
    return automata.every((automaton) => automaton !== undefined) ? [automata] : [];
  });
  const unwanted = [...forbidden].slice(0, MAX_PATTERNS).flatMap((pattern) => automatonOf(pattern) ?? []);
  return new Search(wanted, unwanted).run();
}

type Node = Automaton['initial'];

/** The states of several automata, numbered, with their transitions for each character, computed on demand. */
class States {
  readonly initial: readonly number[];
  private readonly nodes: { readonly behind: readonly Node[]; readonly automaton: Automaton }[] = [];
  private readonly numbers = new Map<Node, number>();
  private readonly ways: (readonly number[] | undefined)[][] = [];

  constructor(
    automata: readonly Automaton[],
    private readonly alphabet: readonly number[],
  ) {
    // A text begins with its start mark, so every search begins after it.
    this.initial = automata.map((automaton) => {
      const behind = after(automaton.initial, START);
      return this.nodes.push({ behind, automaton }) - 1;
    });
  }

  next(state: number, letter: number): readonly number[] {
    const ways = (this.ways[state] ??= []);
    return (ways[letter] ??= this.follow(state, this.alphabet[letter] ?? 0));
  }

  isEnding(state: number): boolean {
    return this.some(state, (node, automaton) => after(node, END).some((next) => automaton.finals.has(next)));
  }

  isSettled(state: number): boolean {
    return this.some(state, (node, { finals }) => finals.has(node) && node.out.get(node)?.isAll === true);
  }

  private some(state: number, test: (node: Node, automaton: Automaton) => boolean): boolean {
    const known = this.nodes[state];
    return known?.behind.some((node) => test(node, known.automaton)) === true;
  }

  private follow(state: number, character: number): readonly number[] {
    const known = this.nodes[state];
    if (!known) return [];
    const { behind, automaton } = known;
    return [...new Set(behind.flatMap((node) => after(node, character)))].map((node) => {
      const known = this.numbers.get(node) ?? this.nodes.push({ behind: [node], automaton }) - 1;
      this.numbers.set(node, known);
      return known;
    });
  }
}

const after = (node: Node, character: number): Node[] =>
  [...node.out].flatMap(([next, characters]) => (characters.has(character) ? [next] : []));

interface Configuration {
  readonly wanted: readonly number[];
  /** All possible states of the patterns that must not match. */
  readonly unwanted: readonly number[];
  readonly word: string;
}

class Search {
  private readonly alphabet: readonly number[];
  private readonly wantedStates: readonly States[];
  private readonly unwantedStates: States;
  private readonly seen = new Set<string>();
  private left = MAX_VISITS;

  constructor(wanted: readonly (readonly Automaton[])[], unwanted: readonly Automaton[]) {
    this.alphabet = alphabetOf([...wanted.flat(), ...unwanted]);
    this.wantedStates = wanted.map((group) => new States(group, this.alphabet));
    this.unwantedStates = new States(unwanted, this.alphabet);
  }

  /** Breadth first, so that the shortest text comes first. Each group is in one state at a time, by choice. */
  run(): WordSearch {
    const starts = this.wantedStates.reduce((product, { initial }) => product * initial.length, 1);
    if (!this.visit(starts)) return { kind: 'undecided' };
    let open: Configuration[] = choices(this.wantedStates.map((states) => states.initial)).map((wanted) => ({
      wanted,
      unwanted: this.unwantedStates.initial,
      word: '',
    }));
    while (open.length > 0) {
      const next: Configuration[] = [];
      for (const configuration of open) {
        if (configuration.unwanted.some((state) => this.unwantedStates.isSettled(state))) continue;
        if (this.isFound(configuration)) return { kind: 'word', word: configuration.word };
        if (!this.expand(configuration, next) || this.seen.size > MAX_CONFIGURATIONS)
          return { kind: 'undecided' };
      }
      open = next;
    }
    return { kind: 'none' };
  }

  private visit(states: number): boolean {
    this.left -= states;
    return this.left >= 0;
  }

  private isFound({ wanted, unwanted }: Configuration): boolean {
    return (
      wanted.every((state, index) => this.wantedStates[index]?.isEnding(state)) &&
      !unwanted.some((state) => this.unwantedStates.isEnding(state))
    );
  }

  private expand({ wanted, unwanted, word }: Configuration, into: Configuration[]): boolean {
    for (const [letter, character] of this.alphabet.entries()) {
      const reached = new Set<number>();
      for (const state of unwanted)
        for (const next of this.unwantedStates.next(state, letter)) reached.add(next);
      const states = [...reached].sort((left, right) => left - right);
      const key = states.join();
      const ways = wanted.map((state, index) => this.wantedStates[index]?.next(state, letter) ?? []);
      const combinations = ways.reduce((product, { length }) => product * length, 1);
      if (!this.visit(unwanted.length + 1 + combinations)) return false;
      for (const choice of choices(ways)) {
        const name = `${choice.join()} ${key}`;
        if (this.seen.has(name)) continue;
        this.seen.add(name);
        into.push({ wanted: choice, unwanted: states, word: word + String.fromCodePoint(character) });
      }
    }
    return true;
  }
}

const choices = (lists: readonly (readonly number[])[]): number[][] =>
  lists.reduce<number[][]>((all, list) => all.flatMap((begun) => list.map((one) => [...begun, one])), [[]]);
