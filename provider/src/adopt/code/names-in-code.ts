/** Every quoted word of a program: what could be the name of a resource that is not in state yet. */
export const quotedWords = (source: string): string[] =>
  [...source.matchAll(/(["'`])([^\s"'`\\$]{1,200})\1/g)].map(([, , word = '']) => word);
