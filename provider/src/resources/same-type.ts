// An alias may name a resource of another type. The engine then hands the state of that one to the new type, whose update would
// leave the live objects behind, in no state.
import { isSettled } from '../errors/partial-failure';
import { UserError } from '../errors/user-error';
import { fieldsOf, type Properties } from '../fields/field';
import type { AnyLifecycle } from './lifecycle';
import { isModuleType, type ResourceType } from './provider-reference';

/**
 * A lifecycle whose diff refuses the state of another type: one that lacks what every state of its own has. That of a module whose
 * create got no answer has only what identifies it.
 */
export const refusingOtherTypes = (
  type: ResourceType,
  fields: () => object,
  lifecycle: AnyLifecycle,
): AnyLifecycle => ({
  ...lifecycle,
  diff(id, olds, news, isDeclared) {
    const isWhole = isSettled(olds) || !isModuleType(type);
    const isOfOther = fieldsOf(fields()).some(
      ([name, { isRequired, identifies }]) =>
        isRequired === true &&
        (isWhole || identifies !== undefined) &&
        (olds as Properties)[name] === undefined,
    );
    if (isDeclared && isOfOther) throw otherType(type, id);
    return lifecycle.diff(id, olds, news, isDeclared);
  },
});

const otherType = (type: ResourceType, id: string): UserError =>
  new UserError(
    `An alias makes ${id}, a resource of another type, a resource of the type ${type}, which would leave its live objects in no ` +
      `state. Remove the alias. If the new resource declares the rules of the old one, also set overwriteExisting: true: it takes ` +
      `them over, and the delete of the old resource keeps them.`,
  );
