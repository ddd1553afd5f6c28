import { checkPolicyDocument, samePolicyDocument } from '../values/policy-document';
import { policyJson, policyLines } from '../values/policy-text';
import { containsUnknown, UNKNOWN } from '../values/unknowns';
import type { Field } from './field';
import { type FieldShape, text } from './kinds';

const policyText = text((value) => ({
  value: policyLines(value),
  ...checkPolicyDocument(policyJson(value)),
}));

/** A traffic policy in lines, equal by what it says. A program gives it as JSON, and early states hold it so. */
export const policyDocumentField: FieldShape<string> & Pick<Field<string>, 'toWire'> = {
  type: { input: { $ref: 'pulumi.json#/Any' }, output: { type: 'string' } },
  parse: (given) => {
    // The classes send a text; other languages may pass the document itself. Nothing is known of it unless all of it is.
    if (typeof given !== 'object' || given === null) return policyText(given);
    return containsUnknown(given) ? { value: UNKNOWN } : policyText(JSON.stringify(given));
  },
  isSame: isSamePolicy,
  toWire: policyJson,
  // The order of the keys does not count, and stays.
  beside: (before, now) => (isSamePolicy(before, now) ? policyLines(before) : now),
};

function isSamePolicy(left: string, right: string): boolean {
  return samePolicyDocument(policyJson(left), policyJson(right));
}
