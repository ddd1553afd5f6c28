import type { Sentence } from '../text/sentence';

/** The parts a readable report is made of. What they say is decided once; Markdown and text differ in looks alone. */
export type Block =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: Sentence }
  | { readonly kind: 'paragraph'; readonly text: Sentence; readonly tone?: Tone }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly Sentence[])[];
    }
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] };

/** How a line should strike the eye. */
export type Tone = 'good' | 'bad' | 'doubtful' | 'plain';

/** An entry of a list: what is said, and lines of smaller print under it. */
export interface ListItem {
  readonly label?: { readonly text: string; readonly tone: Tone };
  readonly text: Sentence;
  readonly notes: readonly Sentence[];
}

/** How much a report may show before it says how much more there is. */
export interface Limits {
  readonly findings: number;
  /** Rows of each other table, and networks of each list. */
  readonly rows: number;
}
