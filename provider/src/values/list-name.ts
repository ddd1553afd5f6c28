const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Why a text cannot name a feed or a list; undefined if it can. */
export const nameProblem = (name: string, noun: 'feed' | 'list'): string | undefined =>
  NAME.test(name)
    ? undefined
    : `the name of a ${noun} consists of lower-case letters and digits, with hyphens between them, and has at most 63 characters`;
