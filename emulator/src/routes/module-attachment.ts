import { Refusal, type Answer } from '../answer';
import type { Call } from '../endpoint';
import type { ParentKind } from '../identifiers';

/** What the two module resources have in common; they differ in their fields and in where they hang. */
export interface Attachment {
  readonly kind: ParentKind;
  /** Identifier of the edge, or `edgeId/routeId`. */
  readonly id: string;
  readonly name: string;
}

export function requireParentOnPut(call: Call, { kind, id }: Attachment): void {
  const { parents, missingParentOnPut } = call.service.switches;
  if (call.account.hasParent(kind, id, parents)) return;
  throw new Refusal(Number(missingParentOnPut), 'ERR_PARENT_NOT_FOUND', `${id} not found.`);
}

/** The answer to a GET of a module that does not exist; a missing edge or route is a 404 in every position. */
export function missingModuleOnGet(call: Call, attachment: Attachment, defaults: object): Answer {
  const { parents, missingModuleOnGet: position } = call.service.switches;
  if (position === '404' || !call.account.hasParent(attachment.kind, attachment.id, parents)) {
    throw notFound(attachment);
  }
  if (position === 'null') return { status: 200, body: null };
  return { status: 200, body: position === 'empty-object' ? {} : defaults };
}

export function missingModuleOnDelete(call: Call, attachment: Attachment): Answer {
  const { parents, missingModuleOnDelete: position } = call.service.switches;
  if (position === '204' && call.account.hasParent(attachment.kind, attachment.id, parents)) {
    return { status: 204 };
  }
  throw notFound(attachment);
}

function notFound({ id, name }: Attachment): Refusal {
  return new Refusal(404, 'ERR_MODULE_NOT_FOUND', `${id} has no ${name}.`);
}
