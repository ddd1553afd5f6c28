import { printable } from '../../values/printable';
import type { Surroundings } from '../surroundings';

// The colours of our own reports; whoever gets hold of one of them can paint and nothing else.
// eslint-disable-next-line no-control-regex -- it is what is looked for
const ownColours = /(\u001b\[(?:0|1|3[123])m)/;

/** Surroundings whose output holds nothing that a terminal acts on, whatever a command prints. */
export const safeSurroundings = (surroundings: Surroundings): Surroundings => ({
  ...surroundings,
  print: (text) => {
    const pieces = text.split(ownColours);
    surroundings.print(pieces.map((piece, at) => (at % 2 === 1 ? piece : printable(piece))).join(''));
  },
  note: (text) => {
    surroundings.note(printable(text));
  },
});
