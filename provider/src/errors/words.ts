/** How a user calls the command line: `--no-install`, as npx would otherwise run whatever package the registry has under that name. */
export const COMMAND_LINE = 'npx --no-install pulumi-edge-policy-cli';

/** How the message begins after a create that may have taken effect, which `recover` quotes. */
export const OUTCOME_UNKNOWN = 'Outcome unknown';

/** A live object that an import brings under management. */
export type ImportedObject =
  | { readonly type: 'rule'; readonly ipPolicyId: string; readonly cidr: string }
  /** `option` is the option of `import` that names the module. */
  | { readonly type: 'module'; readonly moduleType: string; readonly option: string; readonly id: string };

export type ImportDeclared = (target: ImportedObject) => string;

/** The import by the command line: the engine imports nothing into its own host for dynamic resources. */
export const importByCommandLine: ImportDeclared = (target) => {
  const what =
    target.type === 'rule'
      ? `--policy ${target.ipPolicyId} --cidr ${target.cidr}`
      : `${target.option} ${target.id}`;
  return `${COMMAND_LINE} import ${what} --run (the code that it writes replaces this declaration)`;
};

/** What to do about a live rule whose network no program can declare. */
export const CORRECT_THE_RULE =
  'set its cidr on the service to the network that is meant (docs/adopt.md has the request), or delete it there; then import it';

/** What to do if a replacement has created before it deleted. */
export const DELETE_FIRST = 'set the option deleteBeforeReplace: true';
