import type { Adoption } from '../../adopt/adoption';
import { typeOfToken } from '../../resources/provider-reference';
import { UserError } from '../../errors/user-error';
import type { Deployment } from '../pulumi/deployment';
import { isOwn } from '../pulumi/managed';
import { type PlannedStep, readPreview, type Stack } from '../pulumi/stack';
import type { EarlierImport } from './earlier-imports';

/** What the program, as it is now, makes of the stack after an import. */
export interface Examination {
  /** Resources that the stack managed before and that the next `up` would delete, create or replace. */
  readonly lost: readonly PlannedStep[];
  /** Resources that came in and that the next `up` would not leave alone. */
  readonly unsettled: readonly PlannedStep[];
  /** Modules that the program does not import yet, though it has to. */
  readonly missingModules: readonly string[];
  /** Why there was nothing to examine. */
  readonly problem?: string;
}

export const NOTHING_EXAMINED: Examination = { lost: [], unsettled: [], missingModules: [] };

/** What an import was about, as a preview has to be read. */
export interface Imported {
  readonly before: Deployment;
  readonly adoptions: readonly Adoption[];
  /** The modules that declare what came in, with everything that each of them declares. */
  readonly modules: readonly EarlierImport[];
  /** The modules of earlier imports. */
  readonly earlier: readonly EarlierImport[];
  /** The URN, where the program had the resource before the import. */
  readonly declaredUrn?: string;
}

/** Looks at a preview, for what no import may ever cause: that something managed is deleted or made again. */
export async function examinePreview(stack: Stack, imported: Imported): Promise<Examination> {
  try {
    return examine(await readPreview(stack), imported);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...NOTHING_EXAMINED, problem: `The program cannot be previewed: ${error.message}` };
  }
}

/** Reads the steps of a preview. */
function examine(steps: readonly PlannedStep[], imported: Imported): Examination {
  const { before, adoptions, modules, earlier, declaredUrn } = imported;
  const deleted = new Set(steps.filter(({ op }) => op === 'delete').map(({ urn }) => keyOfUrn(urn)));
  const isMissing = ({ resources }: EarlierImport): boolean =>
    resources.length > 0 && resources.every((resource) => deleted.has(keyOf(resource)));
  // A module that the program does not import yet explains that what it declares would be deleted.
  const explained = new Set(modules.filter(isMissing).flatMap(({ resources }) => resources.map(keyOf)));
  const open = steps.filter(({ urn, op }) => op !== 'same' && !explained.has(keyOfUrn(urn)));
  const managed = new Set(before.resources.filter(isOwn).map(({ urn }) => urn));
  const added = new Set(adoptions.map(keyOf));
  return {
    lost: open.filter(({ urn, op }) => managed.has(urn) && isLoss(op)),
    unsettled: open.filter(({ urn, op }) => {
      if (managed.has(urn)) return false;
      // What the program says otherwise about a resource that it had before, is what a preview is for.
      return urn === declaredUrn ? isLoss(op) : added.has(keyOfUrn(urn));
    }),
    missingModules: [...modules, ...earlier].filter(isMissing).map(({ files: { program } }) => program),
  };
}

/** Everything but an update in place, a read, and what changes nothing. */
const isLoss = (op: string): boolean => /create|delete|replace|discard/.test(op);

/** Type and name: all of the URN of a resource that a module declares, as it has no parent. */
const keyOf = ({ type, name }: Pick<Adoption, 'type' | 'name'>): string => `${type}::${name}`;

function keyOfUrn(urn: string): string {
  const [token = '', ...name] = urn.split('::').slice(2);
  return [typeOfToken(token) ?? token, ...name].join('::');
}
