import { DiffResponse, PropertyDiff } from '@pulumi/pulumi/proto/provider_pb';
import {
  type AnyField,
  type DiffOutcome,
  fieldsOf,
  isAbsent,
  isSameValue,
  type Properties,
} from '../../fields/field';
import { containsUnknown } from '../../values/unknowns';

/** What a diff compares: the outputs in state, the inputs that led to them, and the new inputs. */
export interface Compared {
  readonly olds: Properties;
  readonly oldInputs: Properties;
  readonly news: Properties;
}

const { Kind } = PropertyDiff;
type Kind = (typeof Kind)[keyof typeof Kind];

/** A diff with details of each field: the engine then shows these, and `preview --json` contains them. */
export function diffResponse(fields: object, outcome: DiffOutcome, compared: Compared): DiffResponse {
  const response = new DiffResponse()
    .setChanges(outcome.changes ? DiffResponse.DiffChanges.DIFF_SOME : DiffResponse.DiffChanges.DIFF_NONE)
    .setReplacesList(outcome.replaces)
    .setDeletebeforereplace(outcome.deleteBeforeReplace)
    .setHasdetaileddiff(true);
  const { olds, oldInputs, news } = compared;
  for (const [name, field] of fieldsOf(fields)) {
    if (field.onChange === 'settings-only' || !differs(field, olds[name], news[name])) continue;
    // The program's author knows the inputs; after a partial failure they may be equal although the live object differs.
    const isInputChange = differs(field, oldInputs[name], news[name]);
    const before = isInputChange ? oldInputs[name] : olds[name];
    const kind = kindOf(field, { before, now: news[name], isReplacing: outcome.replaces.includes(name) });
    response.getDetaileddiffMap().set(name, new PropertyDiff().setKind(kind).setInputdiff(isInputChange));
    response.addDiffs(name);
  }
  return response;
}

const differs = (field: AnyField, before: unknown, now: unknown): boolean =>
  containsUnknown(now) || !isSameValue(field, before, now);

function kindOf(
  field: AnyField,
  { before, now, isReplacing }: { before: unknown; now: unknown; isReplacing: boolean },
): Kind {
  if (isAbsent(field, before)) return isReplacing ? Kind.ADD_REPLACE : Kind.ADD;
  if (isAbsent(field, now)) return isReplacing ? Kind.DELETE_REPLACE : Kind.DELETE;
  return isReplacing ? Kind.UPDATE_REPLACE : Kind.UPDATE;
}
