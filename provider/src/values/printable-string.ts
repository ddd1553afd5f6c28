// The CLI prints a line of a changed text as it is. So whatever a terminal acts on or does not show is escaped: controls,
// bidirectional marks, invisible characters, line separators, and the `<{%` with which the CLI's own colours begin. The
// ranges are spelt out, as the character classes of Node.js grow with its versions and equal values must keep equal texts.
const UNPRINTABLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]|<(?=\{%)/g;

/** A text as a JSON string that can be printed. */
export const printableString = (text: string): string => JSON.stringify(text).replace(UNPRINTABLE, escaped);

const escaped = (characters: string): string =>
  Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
