import { isAlreadyExists, isAmbiguous } from '../api/errors';
import { isSameInPolicy, isSameNetwork, rulePlace, type ServiceRule } from '../rule/rule';
import { alreadyExists, nameOfWanted, outcomeUnknown, severalCandidates } from './create-failures';
import { ageOf, type Creation, lookOnce, searchLostRule } from './rule-search';
import { takeOverOffered } from './take-over';

/** The rule of a declaration. One that was taken over keeps the texts that it had. */
export interface CreatedRule {
  readonly rule: ServiceRule;
  readonly isTakenOver: boolean;
}

/**
 * Creates a rule exactly once, even where the answer is lost: a POST that may have reached the service is never sent
 * again blindly. The rule is looked up and adopted; only where it does not appear is one more POST sent.
 *
 * The returned rule may hold texts other than those sent, where the service stored them differently.
 *
 * @throws UserError naming the rule that exists already, the candidates, or what may exist now.
 */
export async function createRule(
  creation: Omit<Creation, 'startedAtMs'> & {
    /** The resource that will stand for the rule, where it stands for others too. */
    readonly holder?: string;
  },
): Promise<CreatedRule> {
  const { context, wanted, name, deadline, holder } = creation;
  const place = rulePlace(wanted);
  // Two identical declarations of one run must not adopt each other's rule: one after the other.
  return context.ledger.oneAtATime(place, async () => {
    deadline.renew();
    const created = await takeOverOrPost(
      { context, wanted, deadline, startedAtMs: Infinity, ...(name === undefined ? {} : { name }) },
      holder,
    );
    const { id } = created.rule;
    context.ledger.noteRule(id);
    context.ledger.holdings.hold({ id, place, holder: holder ?? id });
    return created;
  });
}

/** A rule that its resource is about to delete is taken over: it is live all the time, and the service may refuse a second. */
async function takeOverOrPost(creation: Creation, holder?: string): Promise<CreatedRule> {
  const { context, wanted } = creation;
  const takeOver = async (): Promise<CreatedRule | undefined> => {
    const rule = await takeOverOffered(creation, holder);
    return rule && { rule, isTakenOver: true };
  };
  const offered = await takeOver();
  if (offered !== undefined) return offered;
  try {
    return { rule: await postAndSettle(creation), isTakenOver: false };
  } catch (error) {
    if (!(error instanceof ExistsError)) throw error;
    const { holdings } = context.ledger;
    await holdings.awaitOffer(rulePlace(wanted), context.client.clock);
    const late = await takeOver();
    if (late !== undefined) return late;
    throw await alreadyExists(creation, error.refusal);
  }
}

/** The service refused a create, as the policy has a rule for this network. */
class ExistsError extends Error {
  override readonly name = 'ExistsError';

  constructor(readonly refusal: unknown) {
    super('the policy has a rule for this network');
  }
}

async function postAndSettle(creation: Creation): Promise<ServiceRule> {
  try {
    return await post(creation);
  } catch (error) {
    if (isAlreadyExists(error)) throw new ExistsError(error);
    if (!isAmbiguous(error)) throw error;
  }
  return (await findLost(creation)) ?? postOnceMore(creation);
}

/** The second and last POST. What the first one did is still unknown, so no failure may sound definite. */
async function postOnceMore(creation: Creation): Promise<ServiceRule> {
  let failure: unknown;
  try {
    // On a copy: the effect of the first POST may show up late, so what counts is still when that one left.
    const created = await post({ ...creation });
    await warnOfTwin(creation, created);
    return created;
  } catch (error) {
    failure = error;
  }
  const hasDuplicate = isAlreadyExists(failure);
  if (!hasDuplicate && !isAmbiguous(failure)) throw outcomeUnknown(creation, failure);
  const lost = await findLost(creation);
  if (lost !== undefined) return lost;
  const refusal = hasDuplicate ? await alreadyExists(creation, failure) : failure;
  throw refusal === failure ? outcomeUnknown(creation, failure) : refusal;
}

async function post(creation: Creation): Promise<ServiceRule> {
  const { context, wanted, deadline } = creation;
  const answered = await context.client.createIpPolicyRule(wanted, deadline, (sentAtMs) => {
    creation.startedAtMs = sentAtMs;
  });
  if (!isAnswerToThisCreate(answered, creation)) throw new OtherObjectError();
  return answered;
}

/** A rule that this process knows already, or of another network, is not what was just created. */
function isAnswerToThisCreate(answered: ServiceRule, creation: Creation): boolean {
  if (creation.context.ledger.knowsRule(answered.id)) return false;
  if (isSameInPolicy(answered, creation.wanted)) return true;
  return isSameNetwork(answered, creation.wanted) && ageOf(answered, creation) === 'since the attempt';
}

/** The service answered a create with an object that was not asked for: what was asked for may exist or not. */
class OtherObjectError extends Error {
  override readonly name = 'AnswerError';
  readonly outcome = 'ambiguous';

  constructor() {
    super('the service answered the create with another rule');
  }
}

/** The rule of a lost answer, now taken over; `undefined` where it does not appear. */
async function findLost(creation: Creation): Promise<ServiceRule | undefined> {
  const found = await searchLostRule(creation).catch((error: unknown) => {
    throw outcomeUnknown(creation, error);
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

/** After a second POST the effect of the first may have shown up too, on a service that accepts duplicates. */
async function warnOfTwin(creation: Creation, created: ServiceRule): Promise<void> {
  creation.context.ledger.noteRule(created.id);
  const twins = await lookOnce(creation).then(
    ({ candidates }) => candidates,
    () => [],
  );
  for (const { id } of twins) {
    creation.context.warn(
      `The create of ${nameOfWanted(creation)} was sent twice, as its first answer was lost: ${created.id} is ` +
        `managed, and ${id}, which appeared late, looks like its twin. Delete ${id} unless somebody else made it.`,
    );
  }
}
