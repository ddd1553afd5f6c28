/** The parts of `urn:pulumi:<stack>::<project>::<parent types$type>::<name>`. */
export interface ResourceUrn {
  readonly text: string;
  readonly stack: string;
  readonly project: string;
  readonly name: string;
}

const SEPARATOR = '::';
const PREFIX = 'urn:pulumi:';

/** Takes a URN apart. A name may hold `::` itself, so only the first three separators count. */
export function parseUrn(text: string): ResourceUrn {
  const [stack = '', project = '', , ...name] = text.split(SEPARATOR);
  return {
    text,
    stack: stack.startsWith(PREFIX) ? stack.slice(PREFIX.length) : stack,
    project,
    name: name.join(SEPARATOR),
  };
}
