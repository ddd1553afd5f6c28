/** The parts of `urn:pulumi:<stack>::<project>::<parent types$type>::<name>`. */
export interface ResourceUrn {
  readonly text: string;
  readonly stack: string;
  readonly project: string;
  /** The type token, without the parents' types. */
  readonly type: string;
  readonly name: string;
}

const SEPARATOR = '::';
const PREFIX = 'urn:pulumi:';

/** Whether a text has all parts of a URN. */
export const isUrn = (text: string): boolean =>
  text.startsWith(PREFIX) && text.split(SEPARATOR, 4).length === 4;

/** Takes a URN apart. A name may hold `::` itself, so only the first three separators count. */
export function parseUrn(text: string): ResourceUrn {
  const [stack = '', project = '', types = '', ...name] = text.split(SEPARATOR);
  return {
    text,
    stack: stack.startsWith(PREFIX) ? stack.slice(PREFIX.length) : stack,
    project,
    type: types.slice(types.lastIndexOf('$') + 1),
    name: name.join(SEPARATOR),
  };
}
