import { saysAlreadyExists } from '../api/errors';
import { UserError } from '../errors/user-error';
import { COMMAND_LINE, DELETE_FIRST, OUTCOME_UNKNOWN } from '../errors/words';
import { isSameNetwork, nameOfLiveRule, nameOfRule, type PolicyRule, type ServiceRule } from '../rule/rule';
import { type Creation, listRules } from './rule-search';

const describe = (wanted: PolicyRule): string =>
  `IP policy rule "${nameOfRule(wanted)}" of ${wanted.ipPolicyId}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'nothing');

/** Names the rule in the way and how to manage it. A refusal that may mean something else passes if there is none. */
export async function alreadyExists(creation: Creation, refused: unknown): Promise<unknown> {
  // Without the list the sentence is shorter. It is still true if the service itself named the conflict.
  const isInTheWay = (rule: ServiceRule): boolean => isSameNetwork(rule, creation.wanted);
  const existing = await listRules(creation, isInTheWay).catch(() => []);
  if (existing.length === 0 && !saysAlreadyExists(refused)) return refused;
  const named = existing.length === 0 ? '' : `: ${existing.map(nameOfLiveRule).join(', ')}`;
  // One that this run knows is in state: nothing is pending, and an import would make a second owner.
  const isOwn = existing.some(({ id }) => creation.context.record.ownership.hasSeen(id));
  const advice = isOwn ? OWN_RULE : [foreignRuleAdvice(creation), ...lessLikely(creation)];
  return new RuleInTheWay(
    `${describe(creation.wanted)} was not created`,
    `the policy already has a rule for this CIDR${named}.`,
    { advice, said: `The service said: ${messageOf(refused)}` },
  );
}

/** A rule for the network of a create. A set reports the fact for each of its rules, and each line of advice once. */
export class RuleInTheWay extends UserError {
  readonly advice: readonly string[];

  constructor(
    effect: string,
    readonly fact: string,
    { advice, said }: { readonly advice: readonly string[]; readonly said: string },
  ) {
    super([`${effect}: ${fact}`, ...advice, said].join('\n'));
    this.advice = advice;
  }
}

/** The ways out that a user of an interrupted run, or of a moved rule, needs: once a run, however many rules are in the way. */
function lessLikely({ context: { record } }: Creation): string[] {
  if (record.hasNamedWaysOut) return [];
  record.hasNamedWaysOut = true;
  return [
    `If "pulumi up" warns of pending operations, an interrupted run has made it: run ${COMMAND_LINE} recover. ${WAYS_OUT}`,
  ];
}

/** A rule of a set cannot be imported. The set is one resource, and takes rules over by itself. */
const foreignRuleAdvice = (creation: Creation): string =>
  `If no resource manages it, set overwriteExisting: true to take it over${orImport(creation)}`;

function orImport(
  { context, wanted: { ipPolicyId, cidr }, isOfSet = false }: Creation,
  which = 'it',
): string {
  return isOfSet
    ? '.'
    : `, or import ${which}: ${context.importDeclared({ type: 'rule', ipPolicyId, cidr })}.`;
}

export const WAYS_OUT =
  'If another resource of this program has it, or had it before this change, see ' +
  'docs/troubleshooting.md#objects-of-another-resource in the package pulumi-edge-policy.';

const OWN_RULE = [
  'Another resource of this program has it: declare it in one of the two. If it changes hands, see ' +
    'docs/troubleshooting.md#objects-of-another-resource in the package pulumi-edge-policy.',
  `If it belongs to this resource, which is being replaced, ${DELETE_FIRST}.`,
];

/** State then holds the resource as it was before. Nothing distinguishes it from another resource. */
const UNFINISHED =
  'If an earlier run began to replace this resource and did not finish, give it a new name and set overwriteExisting: true.';

export const ruleDeclaredTwice = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} belongs to two resources of this program: deleting one would delete the rule of the other. ` +
      `Run "pulumi refresh", then remove one of the two from the program: deleting it keeps the rule.\n${UNFINISHED}`,
  );

export const overwrittenTwice = (network: string): UserError =>
  new UserError(
    `The rule for ${network.split(' ').toReversed().join(' in ')} belongs to two resources of this program with overwriteExisting: ` +
      `true. Their order would decide what is live, so this one did nothing. Declare the rule in one of the two.`,
  );

export const ruleInTheWay = (id: string): UserError =>
  new UserError(
    `IP policy rule ${id} could not be taken over: another resource of this program is changing it in this ` +
      `run.\n${WAYS_OUT}\n${UNFINISHED}`,
  );

export const notMoved = (
  moved: { readonly id: string; readonly cidr: string },
  refused: unknown,
): UserError =>
  new UserError(
    `IP policy rule ${moved.id} was not moved to ${moved.cidr}: the policy already has a rule for this CIDR. To take that ` +
      `rule over, give this resource a new name and set overwriteExisting: true.\n${WAYS_OUT}\nThe ` +
      `service said: ${messageOf(refused)}`,
  );

export const severalExisting = (wanted: PolicyRule, existing: readonly ServiceRule[]): UserError =>
  new UserError(
    `${describe(wanted)} cannot take over an existing rule: the policy holds several for this CIDR: ` +
      `${existing.map(nameOfLiveRule).join(', ')}. Delete the ones that you do not want.`,
  );

export const severalCandidates = (creation: Creation, candidates: readonly ServiceRule[]): UserError =>
  new UserError(
    `The response to the create of ${describe(creation.wanted)} was lost, and it is unclear which rule it created: ` +
      `${candidates.map(nameOfLiveRule).join(', ')}. Delete the ones that you do not want` +
      orImport(creation, 'the one to keep'),
  );

export const outcomeUnknown = ({ wanted }: Creation, cause: unknown): UserError =>
  new UserError(
    `${OUTCOME_UNKNOWN}: ${describe(wanted)} may exist, because the response to its create was lost and it could not be ` +
      `looked up. Check the rules of that policy before the next "pulumi up".\nThe last failure: ${messageOf(cause)}`,
  );
