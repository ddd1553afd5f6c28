import type { Adoption } from '../adopt/adoption';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import type { Deployment } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { type PlannedStep, tryPreview } from '../pulumi/preview';
import type { Stack } from '../pulumi/stack';
import { importsOfProgram } from './code-names';
import type { EarlierImport } from './earlier-imports';

/** The effect of the current program on the stack after an import. */
export interface Examination {
  /** Resources that the stack managed before and that the next `up` would delete, create or replace. */
  readonly lost: readonly PlannedStep[];
  /** Imported resources that the next `up` would change. */
  readonly unsettled: readonly PlannedStep[];
  /** Modules that the program must import and does not yet. */
  readonly missingModules: readonly string[];
  /** Why not everything could be imported. */
  readonly notImported?: string;
  /** Why the preview failed, in the words of the CLI. */
  readonly previewErrors: readonly string[];
}

export const NOTHING_EXAMINED: Examination = {
  lost: [],
  unsettled: [],
  missingModules: [],
  previewErrors: [],
};

/** What an import did, as context for its preview. */
export interface Imported {
  readonly before: Deployment;
  readonly adoptions: readonly Adoption[];
  /** The modules that declare the imported resources, with everything that each of them declares. */
  readonly modules: readonly EarlierImport[];
  /** The modules of earlier imports. */
  readonly earlier: readonly EarlierImport[];
  /** The URN, if the program had the resource before the import. */
  readonly declaredUrn?: string;
}

/** Checks a preview for what an import must never cause: that a managed resource is deleted or created again. */
export async function examinePreview(stack: Stack, imported: Imported): Promise<Examination> {
  const { steps, errors } = await tryPreview(stack);
  if (errors.length === 0) return examine(steps, imported);
  // Without a preview, the imports of the program show which lines are missing.
  const importedModules = importsOfProgram(stack.projectFolder);
  const missing = imported.modules.filter(
    ({ files: { program } }) => !importedModules.has(withoutExtension(program)),
  );
  const missingModules = missing.map(({ files: { program } }) => program);
  // If its module is not imported, the program wants to delete a protected resource: adding the line solves that.
  const names = new Set(missing.flatMap(({ resources }) => resources.map(keyOf)));
  const isExplained = (error: string): boolean =>
    /protect/i.test(error) && urnsIn(error).some((urn) => names.has(keyOfUrn(urn)));
  const previewErrors = errors.filter((error) => !isExplained(error));
  // The engine closes with a summary of the errors that it has named.
  const isOnlySummary =
    previewErrors.length < errors.length && previewErrors.every((error) => /^preview failed/i.test(error));
  return { ...NOTHING_EXAMINED, missingModules, previewErrors: isOnlySummary ? [] : previewErrors };
}

const withoutExtension = (file: string): string => file.replace(/\.[cm]?[jt]s$/, '');

const urnsIn = (text: string): string[] => text.match(/urn:pulumi:[^\s"']+/g) ?? [];

/** Reads the steps of a preview. */
function examine(steps: readonly PlannedStep[], imported: Imported): Examination {
  const { before, adoptions, modules, earlier, declaredUrn } = imported;
  const deleted = new Set(steps.filter(({ op }) => op === 'delete').map(({ urn }) => keyOfUrn(urn)));
  const created = new Set(steps.filter(({ op }) => op === 'create').map(({ urn }) => keyOfUrn(urn)));
  const added = new Set(adoptions.map(keyOf));
  const held = new Set([...added, ...before.resources.map(({ urn }) => keyOfUrn(urn))]);
  // Without its module, the program does not declare these resources, and would delete or create them.
  const isMissing = ({ resources }: EarlierImport): boolean => {
    const keys = resources.map(keyOf);
    const known = keys.filter((key) => held.has(key));
    return (
      known.length > 0 && known.every((key) => deleted.has(key)) && !keys.some((key) => created.has(key))
    );
  };
  // A module that the program does not import yet explains that its resources would be deleted.
  const explained = new Set(modules.filter(isMissing).flatMap(({ resources }) => resources.map(keyOf)));
  const open = steps.filter(({ urn, op }) => op !== 'same' && !explained.has(keyOfUrn(urn)));
  const managed = new Set(before.resources.filter(isOwn).map(({ urn }) => urn));
  return {
    ...NOTHING_EXAMINED,
    lost: open.filter(({ urn, op }) => managed.has(urn) && isLoss(op)),
    unsettled: open.filter(({ urn, op }) => {
      if (managed.has(urn)) return false;
      // A difference in a resource that the program had before is reported by its preview.
      return urn === declaredUrn ? isLoss(op) : added.has(keyOfUrn(urn));
    }),
    missingModules: [...modules, ...earlier].filter(isMissing).map(({ files: { program } }) => program),
  };
}

/** Everything except an update in place, a read, and a step without a change. */
const isLoss = (op: string): boolean => /create|delete|replace|discard/.test(op);

/** Type and name: the whole URN of a resource that a module declares, as it has no parent. */
const keyOf = ({ type, name }: Pick<Adoption, 'type' | 'name'>): string => `${type}::${name}`;

function keyOfUrn(urn: string): string {
  const [token = '', ...name] = urn.split('::').slice(2);
  return [typeOfToken(token) ?? token, ...name].join('::');
}
