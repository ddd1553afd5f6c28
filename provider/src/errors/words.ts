/** How a user calls the command line, which is a package of its own: never by a shorter name, which may be a stranger's package. */
export const COMMAND_LINE = 'npx pulumi-edge-policy-cli';

/** A live object that an import brings under management. */
export type ImportedObject =
  | { readonly type: 'rule'; readonly ipPolicyId: string; readonly cidr: string }
  | ({ readonly type: 'module' } & ImportedModule);

/** A module, by its type and id, with the option of `import` that names it. */
export interface ImportedModule {
  readonly moduleType: string;
  readonly option: string;
  readonly id: string;
}

/**
 * The parts of a message that depend on the program's language: names, options, commands. Every host has its own words, so that
 * a sentence is made once and never rewritten.
 */
export interface Words {
  /** The name of a property or an option, as a program writes it. */
  readonly name: (property: string) => string;
  /** A switch with its value, as a program writes it. */
  readonly assigned: (property: string, value: boolean) => string;
  /** What to do if a replacement has created before it deleted. */
  readonly deleteFirst: string;
  /** How to bring an existing object under management that the program already declares, as a command to copy. */
  readonly importDeclared: (target: ImportedObject) => string;
  /** How to see the rules of a policy. */
  readonly lookFirst: (ipPolicyId: string) => string;
}

function npmCommand(target: ImportedObject): string {
  const command = `${COMMAND_LINE} import`;
  switch (target.type) {
    case 'rule':
      return `${command} --policy ${target.ipPolicyId} --cidr ${target.cidr} --run`;
    case 'module':
      return `${command} ${target.option} ${target.id} --run`;
  }
}

/** The words of programs in TypeScript and JavaScript, in whose projects npx runs the command line. */
export const typescriptWords: Words = {
  name: (property) => property,
  assigned: (property, value) => `${property}: ${value}`,
  deleteFirst: 'leave out the option deleteBeforeReplace: false',
  importDeclared: (target) =>
    `${npmCommand(target)} (add --name NAME, with the name of the resource in the program)`,
  lookFirst: (ipPolicyId) => `Run "${COMMAND_LINE} list --policy ${ipPolicyId}" before the next "pulumi up".`,
};
