// The names of the assertion files of a stack. A name comes from the job, never from a preview.

/** The files next to a program: that of all stacks, and that of this one, by the last part of its name as in `Pulumi.STACK.yaml`. */
export const defaultFiles = (stack) => [
  'edge-policy.assertions.json',
  `edge-policy.assertions.${stack.slice(stack.lastIndexOf('/') + 1)}.json`,
];

/** The name among some that differs only in case from one of the files: not every file system would tell them apart. */
export const misspelt = (files, names) =>
  names.find((name) => files.some((file) => file !== name && file.toLowerCase() === name.toLowerCase()));
