// Texts of the service and of the stack may hold what a terminal acts on, or what turns the direction of a line.
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** A text on one line, capped, with nothing in it that a terminal would act on. */
export function safeText(text: string, longest = 60): string {
  const characters = Array.from(text.slice(0, longest * 2).replace(unprintable, '\ufffd'));
  const isCut = characters.length > longest || text.length > longest * 2;
  return isCut ? `${characters.slice(0, longest - 1).join('')}…` : characters.join('');
}
