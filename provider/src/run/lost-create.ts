import { isAlreadyExists, isAmbiguous } from '../api/errors';
import type { UserError } from '../errors/user-error';
import { ruleKey } from './object-key';
import { Blocked } from './patience';
import { duplicateKey, isSameInPolicy, isSameNetwork, networkKey, type ServiceRule } from '../rule/rule';
import { alreadyExists, nameOfWanted, outcomeUnknown, severalCandidates } from './create-failures';
import { ageOf, type Creation, lookOnce, searchLostRule } from './rule-search';

/**
 * Creates a rule exactly once, even if the answer is lost: a POST that may have reached the service is never sent again
 * blindly. The rule is looked up and adopted; only if it does not appear is one more POST sent.
 *
 * The returned rule may have other texts than those sent, if the service stored them differently.
 *
 * @throws UserError naming the candidates, or what may exist now.
 * @throws Blocked if the policy already has a rule for the network.
 */
export async function createRule(creation: Omit<Creation, 'startedAtMs'>): Promise<ServiceRule> {
  const { context, owner, wanted, deadline } = creation;
  const { ledger } = context;
  // Two identical declarations of one run must not adopt each other's rule, so they take turns.
  const key = duplicateKey(wanted);
  return ledger.oneAtATime(key, async () => {
    deadline.renew();
    // What nobody could look up may exist, so an identical create of this run would be a second one.
    const open = ledger.openCreates.get(key);
    if (open !== undefined) throw open;
    const created = await postAndSettle({ ...creation, startedAtMs: Infinity });
    ledger.noteRule(created.id);
    ledger.ownership.noteCreated(ruleKey(created.id), owner);
    return created;
  });
}

async function postAndSettle(creation: Creation): Promise<ServiceRule> {
  try {
    return await post(creation);
  } catch (error) {
    if (isAlreadyExists(error))
      throw new Blocked(() => alreadyExists(creation, error), [networkKey(creation.wanted)]);
    if (!isAmbiguous(error)) throw error;
  }
  return (await findLost(creation)) ?? postOnceMore(creation);
}

/** The second and last POST. The effect of the first one is still unknown, so no failure may sound definite. */
async function postOnceMore(creation: Creation): Promise<ServiceRule> {
  let failure: unknown;
  try {
    // On a copy: the effect of the first POST may show up late, so the time that counts is still when the first one left.
    const created = await post({ ...creation });
    await warnOfTwin(creation, created);
    return created;
  } catch (error) {
    failure = error;
  }
  const hasDuplicate = isAlreadyExists(failure);
  if (!hasDuplicate && !isAmbiguous(failure)) throw leftOpen(creation, failure);
  const lost = await findLost(creation);
  if (lost !== undefined) return lost;
  const refusal = hasDuplicate ? await alreadyExists(creation, failure) : failure;
  throw refusal === failure ? leftOpen(creation, failure) : refusal;
}

/** The failure of a create that may have made the rule or not, noted for the rest of the run. */
function leftOpen(creation: Creation, cause: unknown): UserError {
  const error = outcomeUnknown(creation, cause);
  creation.context.ledger.openCreates.set(duplicateKey(creation.wanted), error);
  return error;
}

async function post(creation: Creation): Promise<ServiceRule> {
  const { context, wanted, deadline } = creation;
  const answered = await context.client.createIpPolicyRule(wanted, deadline, (sentAtMs) => {
    creation.startedAtMs = sentAtMs;
  });
  if (!isAnswerToThisCreate(answered, creation)) throw new OtherObjectError();
  return answered;
}

/** A rule that this process already knows, or of another network, is not the one just created. */
function isAnswerToThisCreate(answered: ServiceRule, creation: Creation): boolean {
  if (creation.context.ledger.knowsRule(answered.id)) return false;
  if (isSameInPolicy(answered, creation.wanted)) return true;
  return isSameNetwork(answered, creation.wanted) && ageOf(answered, creation) === 'since the attempt';
}

/** The service answered a create with another object, so the requested one may exist or not. */
class OtherObjectError extends Error {
  override readonly name = 'AnswerError';
  readonly outcome = 'ambiguous';

  constructor() {
    super('the service answered the create with another rule');
  }
}

/** The rule of a lost answer, now adopted; `undefined` if it does not appear. */
async function findLost(creation: Creation): Promise<ServiceRule | undefined> {
  const found = await searchLostRule(creation).catch((error: unknown) => {
    throw leftOpen(creation, error);
  });
  const [lost, ...others] = found.candidates;
  if (others.length > 0) throw severalCandidates(creation, found.candidates);
  if (lost !== undefined) {
    creation.context.warn(
      `The answer to the create of ${nameOfWanted(creation)} was lost; the rule exists as ${lost.id} and was taken over.`,
    );
    return lost;
  }
  if (found.doubtful.length > 0) throw severalCandidates(creation, found.doubtful);
  return undefined;
}

/** After a second POST the effect of the first may have shown up, too, on a service that accepts duplicates. */
async function warnOfTwin(creation: Creation, created: ServiceRule): Promise<void> {
  creation.context.ledger.noteRule(created.id);
  const twins = await lookOnce(creation).then(
    ({ candidates }) => candidates,
    () => [],
  );
  for (const { id } of twins) {
    creation.context.warn(
      `The create of ${nameOfWanted(creation)} was sent twice, as its first answer was lost: ${created.id} is ` +
        `managed, and ${id}, which appeared late, looks like a duplicate. Delete ${id} unless it has another owner.`,
    );
  }
}
