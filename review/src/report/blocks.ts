import type { Sentence } from '../text/sentence';

/** The parts of a readable report. Their content is decided once; Markdown and text only differ in form. */
export type Block =
  | { readonly kind: 'heading'; readonly text: Sentence }
  | { readonly kind: 'paragraph'; readonly text: Sentence; readonly tone?: Tone }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly Sentence[])[];
    }
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] };

export type Tone = 'good' | 'bad' | 'doubtful' | 'plain';

export const paragraph = (text: Sentence): Block => ({ kind: 'paragraph', text });

/** A list, if there is anything to list. */
export const listed = (items: readonly ListItem[]): Block[] =>
  items.length === 0 ? [] : [{ kind: 'list', items }];

export const linesOf = (texts: readonly Sentence[]): Block[] => listed(texts.map((text) => ({ text })));

/** An entry of a list: a sentence, with smaller lines below it. */
export interface ListItem {
  readonly label?: { readonly text: string; readonly tone: Tone };
  readonly text: Sentence;
  readonly notes?: readonly Sentence[];
}

export interface Limits {
  readonly findings: number;
  /** Rows of each further table, and networks of each list. */
  readonly rows: number;
}
