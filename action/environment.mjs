/** @param {string} variable */
export function required(variable) {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set`);
  return value;
}

/** The project in the full name of the stack. A short name could be that of a stack of any project. */
export function namedProject() {
  const [, project, name, ...more] = required('REVIEW_STACK').split('/');
  if (!/^[\w.-]+$/.test(project ?? '') || !name || more.length > 0)
    throw new Error('give the full name of the stack, as ORGANIZATION/PROJECT/STACK');
  return project;
}
