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
  REVIEW_GUARDS_ENVIRONMENT: 'guards-environment',
};

/** What the workflow must still say: inputs with a placeholder of a template, such as `<stack>`, and a secret that has no value. */
export function leftOpen() {
  const { PULUMI_ACCESS_TOKEN: token, PULUMI_BACKEND_URL: backend = '' } = process.env;
  const inputs = Object.entries(INPUTS).flatMap(([variable, input]) => {
    const placeholders = process.env[variable]?.match(/<[a-z][a-z -]*>/g) ?? [];
    return placeholders.length === 0 ? [] : [`\`${input}\`, which is still \`${placeholders.join('/')}\``];
  });
  const secret = 'the secret behind PULUMI_ACCESS_TOKEN, which a pull request from a fork does not get';
  return token === '' && backend === '' ? [...inputs, secret] : inputs;
}

/** The project in the full name of the stack. A short name could be that of a stack of any project. */
export function namedProject() {
  const [, project, name, ...more] = required('REVIEW_STACK').split('/');
  if (!/^[\w.-]+$/.test(project ?? '') || !name || more.length > 0)
    throw new Error('give the full name of the stack, as ORGANIZATION/PROJECT/STACK');
  return project;
}
