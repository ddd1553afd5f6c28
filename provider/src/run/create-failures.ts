import { saysAlreadyExists } from '../api/errors';
import { UserError } from '../errors/user-error';
import { DELETE_FIRST, type ImportDeclared } from '../errors/words';
import { isSameNetwork, nameOfLiveRule, nameOfRule, type PolicyRule, type ServiceRule } from '../rule/rule';
import { type Creation, listRules, lookUntil } from './rule-search';

/** The rule that a create is about, as sentences name it. */
type Wanted = Pick<Creation, 'wanted' | 'name'>;

/** The rule of a create in words. */
export const nameOfWanted = ({ wanted, name }: Wanted): string => name ?? nameOfRule(wanted);

const describe = ({ wanted, name }: Wanted): string =>
  name === undefined
    ? `IP policy rule "${nameOfRule(wanted)}" of ${wanted.ipPolicyId}`
    : `IP policy ${name} of ${wanted.ipPolicyId}`;

/** Describes rules like the one of a create, whose own network may be secret. */
const namesOf = ({ name }: Wanted, rules: readonly ServiceRule[]): string =>
  rules.map((rule) => (name === undefined ? nameOfLiveRule(rule) : rule.id)).join(', ');

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'nothing');

/**
 * The message for a create that the service refused because of another rule: which one, and how to bring it under management. A
 * refusal that may mean something else, and for which there is no rule, is passed on as it is.
 */
export async function alreadyExists(creation: Creation, refused: unknown): Promise<unknown> {
  // Without the list the sentence is shorter, and still true if the service itself said so.
  const existing = await rulesInTheWay(creation, saysAlreadyExists(refused)).catch(() => []);
  if (existing.length === 0 && !saysAlreadyExists(refused)) return refused;
  const named = existing.length === 0 ? '' : `: ${namesOf(creation, existing)}`;
  const { ledger, importDeclared } = creation.context;
  const isOwn = existing.some(({ id }) => ledger.knowsRule(id));
  const ways = [
    DECLARED_TWICE,
    `If the rule belongs to this resource, which is being replaced, ${DELETE_FIRST}.`,
    WAYS_OUT,
    ...(isOwn ? [] : [foreignRuleAdvice(importDeclared, creation)]),
  ];
  return new RuleInTheWay(
    `${describe(creation)} was not created: the policy already has a rule for this CIDR${named}.`,
    ways.join('\n'),
    `The service said: ${messageOf(refused)}`,
  );
}

/** A rule for the network of a create. A set says the fact of each of its rules, and the advice once. */
export class RuleInTheWay extends UserError {
  constructor(
    readonly fact: string,
    readonly advice: string,
    said: string,
  ) {
    super([fact, advice, said].join('\n'));
  }
}

const DECLARED_TWICE =
  'If another resource of this program also declares it, remove it from one of the two, or merge them into one set: ' +
  '"pulumi stack export" shows which one holds the id.';

/** The rules for the network of a create. If the service speaks of one that the list does not show yet, the list is repeated. */
function rulesInTheWay(creation: Creation, isCertain: boolean): Promise<ServiceRule[]> {
  const look = (): Promise<ServiceRule[]> =>
    listRules(creation, (rule) => isSameNetwork(rule, creation.wanted));
  return isCertain ? lookUntil(creation, look, (existing) => existing.length > 0) : look();
}

/** A rule of a set cannot be imported: the set is one resource, and takes rules over by itself. */
function foreignRuleAdvice(
  importDeclared: ImportDeclared,
  { wanted: { ipPolicyId, cidr }, name }: Wanted,
): string {
  const takeOver = `If no resource manages it yet, set overwriteExisting: true to take it over`;
  const orImport = `, or import it: ${importDeclared({ type: 'rule', ipPolicyId, cidr })}`;
  return `${takeOver}${name === undefined ? orImport : ''}.`;
}

/**
 * What to do if another resource's object is in the way. The create has waited for it, as that resource might have been about
 * to delete it.
 */
export const WAYS_OUT =
  'If another resource of this program owned it before this change, and that resource\n' +
  '- is still declared: make it depend on this one (dependsOn) and set overwriteExisting: true here;\n' +
  '- has left the program: add an alias here if it was renamed, otherwise set overwriteExisting: true;\n' +
  '- takes an object from this one in turn: give both new names and set overwriteExisting: true.';

/** State then has the resource as it was before, which nothing distinguishes from another resource. */
const UNFINISHED =
  'If an earlier run began to replace this resource and did not finish, give it a new name and set overwriteExisting: true.';

/** Two resources of one program own one live rule. */
export const ruleDeclaredTwice = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} belongs to two resources of this program: deleting one would delete the rule of the other. ` +
      `Run "pulumi refresh", then remove one of the two from the program: deleting it keeps the rule.\n${UNFINISHED}`,
  );

/** A rule that a create takes over was about to be changed or deleted by another resource, which did not happen in time. */
export const ruleInTheWay = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} could not be taken over: another resource of this program is changing it in this ` +
      `run.\n${WAYS_OUT}\n${UNFINISHED}`,
  );

/** An update is to another rule's network, and that rule was not deleted in time. */
export const notMoved = (
  moved: { readonly id: string; readonly cidr: string },
  refused: unknown,
): UserError =>
  new UserError(
    `IP policy rule ${moved.id} was not moved to ${moved.cidr}: the policy already has a rule for this CIDR. To take that ` +
      `rule over, give this resource a new name and set overwriteExisting: true.\n${WAYS_OUT}\nThe ` +
      `service said: ${messageOf(refused)}`,
  );

/** The policy holds more than one rule for the network of a create with `overwriteExisting`. */
export const severalExisting = (wanted: PolicyRule, existing: readonly ServiceRule[]): UserError =>
  new UserError(
    `${describe({ wanted })} cannot take over an existing rule: the policy holds several for this CIDR: ` +
      `${existing.map(nameOfLiveRule).join(', ')}. Delete the ones that you do not want.`,
  );

/** The answer was lost, and the created rule could be any of several, or one that existed before. */
export function severalCandidates(creation: Creation, candidates: readonly ServiceRule[]): UserError {
  const { context, wanted, name } = creation;
  const otherwise =
    name === undefined
      ? `, or import the one to keep: ${context.importDeclared({ type: 'rule', ...wanted })}`
      : '.';
  return new UserError(
    `The response to the create of ${describe(creation)} was lost, and it is unclear which rule it created: ` +
      `${namesOf(creation, candidates)}. Delete the ones that you do not want${otherwise}`,
  );
}

/** The answer was lost, and it cannot be found out whether the rule was created. */
export function outcomeUnknown(creation: Creation, cause: unknown): UserError {
  const { wanted, name } = creation;
  const network = name === undefined ? ` with CIDR ${wanted.cidr}` : '';
  return new UserError(
    `Outcome unknown: ${describe(creation)} may exist in policy ${wanted.ipPolicyId}${network}, ` +
      `because the response to its create was lost and it could not be looked up. ` +
      `Check the rules of that policy before the next "pulumi up".\nThe last failure: ${messageOf(cause)}`,
  );
}
