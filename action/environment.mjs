import { randomUUID } from 'node:crypto';

/** @param {string} variable */
export function required(variable) {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set`);
  return value;
}

/** The name of an artifact about a stack: names of stacks have no tilde, and those of artifacts no slashes. */
export const artifactOf = (what, stack) =>
  `access-${what}-${encodeURIComponent(stack).replaceAll('%2F', '~')}`;

const INPUTS = {
  REVIEW_STACK: 'stack',
  REVIEW_DIRECTORY: 'working-directory',
  REVIEW_BRANCHES: 'branches',
};

/** The inputs of the workflow that are still placeholders of a template, such as `<stack>`. */
export function leftOpen() {
  return Object.entries(INPUTS).flatMap(([variable, input]) => {
    const placeholders = process.env[variable]?.match(/<[a-z][a-z -]*>/g) ?? [];
    return placeholders.length === 0 ? [] : [`\`${input}\`, which is still \`${placeholders.join('/')}\``];
  });
}

/** The full name of the stack. A short one could be that of a stack of any project. */
export function namedStack() {
  const stack = required('REVIEW_STACK');
  if (!isFullName(stack)) throw new Error('give the full name of the stack, as ORGANIZATION/PROJECT/STACK');
  return stack;
}

/** @param {string} stack */
export const isFullName = (stack) => /^[\w.-]+\/[\w.-]+\/[\w.-]+$/.test(stack);

/** Writes foreign text to the log, such as names of the stack or an answer of a server, which the workflow must not take for commands. */
export function logForeign(text) {
  const token = randomUUID();
  console.log(`::stop-commands::${token}\n${text}\n::${token}::`);
}

/** Why there is no review, in words that may appear in a comment. */
export class Problem extends Error {}
