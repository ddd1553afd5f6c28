/** Whether a text is not empty and holds visible ASCII only: no blanks, no line ends, nothing that is not ASCII. */
export const isVisibleAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);
