import { unprintable } from '../../values/printable';

/** A text on one line, capped, with nothing in it that a terminal would act on. */
export function safeText(text: string, longest = 60): string {
  const characters = Array.from(text.slice(0, longest * 2).replace(unprintable, '\ufffd'));
  const isCut = characters.length > longest || text.length > longest * 2;
  return isCut ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}
