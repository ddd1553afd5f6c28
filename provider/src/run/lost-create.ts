import { AnswerError, isAlreadyExists, isAmbiguous } from '../api/errors';
import type { UserError } from '../errors/user-error';
import { Blocked } from './waiting';
import { duplicateKey, nameOfRule, isSameNetwork, networkKey, type ServiceRule } from '../rule/rule';
import { stillLive } from '../presence/live-rules';
import { alreadyExists, outcomeUnknown, ruleDeclaredTwice, severalCandidates } from './create-failures';
import { ageOf, type Creation, lookOnce, type LostCreate, searchLostRule } from './rule-search';

/**
 * Creates a rule exactly once. A POST that may have reached the service is never blindly sent again: the rule is looked up and
 * adopted, and only if it does not appear, one more POST is sent. Its texts may differ from those sent.
 * @throws UserError naming the candidates, or what may exist now.
 * @throws Blocked if the policy already has a rule for the network.
 */
export async function createRule(creation: Creation): Promise<ServiceRule> {
  const { context, call, wanted } = creation;
  const { record } = context;
  // Two identical declarations of one run must not adopt each other's rule, so they take turns.
  const key = duplicateKey(wanted);
  return record.waiting.oneAtATime(key, async () => {
    // A create whose outcome stayed unknown may have made its rule, so an identical create of this run could make a duplicate.
    const open = record.openCreates.get(key);
    if (open !== undefined) throw open;
    const created = await postUntilClear(creation);
    record.ownership.noteCreated(created.id, call);
    return created;
  });
}

async function postUntilClear(creation: Creation): Promise<ServiceRule> {
  try {
    const posted = await post(creation);
    if (posted.created !== undefined) return posted.created;
    const lost = { ...creation, startedAtMs: posted.sentAtMs };
    const adopted = await findLost(lost);
    if (adopted !== undefined) return adopted;
    // A service may answer with an equal rule that exists, and has created none. Another POST would change nothing.
    if (posted.isTaken) {
      creation.onLost?.(false);
      throw await alreadyExists(creation, posted.cause);
    }
    return await postOnceMore(lost);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    throw new Blocked(() => alreadyExists(creation, error), [networkKey(creation.wanted)]);
  }
}

/** No failure may sound definite, as the first POST may have had its effect. A new connection loses no request. */
async function postOnceMore(lost: LostCreate): Promise<ServiceRule> {
  let failure: unknown;
  try {
    const posted = await post(lost, true);
    if (posted.created !== undefined) {
      await warnOfTwin(lost, posted.created);
      return posted.created;
    }
    failure = posted.cause;
  } catch (error) {
    if (!isAlreadyExists(error)) throw leaveOpen(lost, error);
    failure = error;
  }
  // If both answers are lost, both POSTs may have made a rule. The rule of the later POST is listed later.
  const adopted = await findLost(lost, isAmbiguous(failure) ? 2 : 1);
  if (adopted !== undefined) return adopted;
  const refusal = isAlreadyExists(failure) ? await alreadyExists(lost, failure) : failure;
  throw refusal === failure ? leaveOpen(lost, failure) : refusal;
}

/** The failure of a create that may have made the rule, noted for the rest of the run. */
function leaveOpen(creation: Creation, cause: unknown): UserError {
  const error = outcomeUnknown(creation, cause);
  creation.context.record.openCreates.set(duplicateKey(creation.wanted), error);
  return error;
}

type Posted =
  | { readonly created: ServiceRule }
  | {
      readonly created?: undefined;
      readonly sentAtMs: number;
      readonly cause: unknown;
      /** Whether the answer shows a rule for the network that this POST has not created. */
      readonly isTaken: boolean;
    };

/** Sends one POST. @throws the error of an attempt that certainly had no effect. */
async function post(creation: Creation, isOnNewConnection = false): Promise<Posted> {
  const { context, wanted, deadline, onLost } = creation;
  let sentAtMs = Infinity;
  let isTaken = false;
  try {
    const onSend = (atMs: number): void => void (sentAtMs = atMs);
    const attempts = { onSend, isOnNewConnection };
    const created = await context.client.createIpPolicyRule(wanted, deadline, attempts);
    if (isAnswerTo(creation, created, sentAtMs)) return { created };
    isTaken = isSameNetwork(created, wanted);
    throw otherRule(created.id);
  } catch (cause) {
    if (!isAmbiguous(cause)) throw cause;
    onLost?.(true);
    return { sentAtMs, cause, isTaken };
  }
}

const otherRule = (id: string): AnswerError =>
  new AnswerError({
    ...{ method: 'POST', path: '/ip_policy_rules', status: 201 },
    problem: `the body describes another rule, ${id}`,
  });

/** A rule that this process already knows, one of another network, or one that is older than the POST was not created by it. */
function isAnswerTo({ context, wanted }: Creation, answered: ServiceRule, sentAtMs: number): boolean {
  if (context.record.ownership.hasSeen(answered.id)) return false;
  return isSameNetwork(answered, wanted) && ageOf(answered, context.client, sentAtMs) !== 'before';
}

/** Returns `undefined` if the rule does not appear. */
async function findLost(lost: LostCreate, count = 1): Promise<ServiceRule | undefined> {
  const { client, warn } = lost.context;
  const looking = { client, deadline: lost.deadline, warn };
  const rules = await searchLostRule(lost, count)
    .then(async ({ candidates, doubtful }) => ({
      candidates: await stillLive(candidates, looking),
      doubtful: await stillLive(doubtful, looking),
    }))
    .catch((error: unknown) => {
      throw leaveOpen(lost, error);
    });
  const [rule, ...others] = rules.candidates;
  if (others.length + rules.doubtful.length > 0)
    throw severalCandidates(lost, [...rules.candidates, ...rules.doubtful]);
  if (rule === undefined) return undefined;
  // Another resource that read the same list may have taken it over by now.
  if (lost.context.record.ownership.hasSeen(rule.id)) throw ruleDeclaredTwice(rule.id);
  lost.context.warn(
    `The response to the create of ${nameOfRule(lost.wanted)} was lost; the rule exists as ${rule.id} and was taken over.`,
  );
  return rule;
}

/** After a second POST, a service that accepts duplicates may also have carried out the first. */
async function warnOfTwin(lost: LostCreate, created: ServiceRule): Promise<void> {
  lost.context.record.ownership.noteSeen(created.id);
  const twins = await lookOnce(lost).then(
    ({ candidates, doubtful }) => [...candidates, ...doubtful],
    () => [],
  );
  for (const { id } of twins) {
    lost.context.warn(
      `The create of ${nameOfRule(lost.wanted)} was sent twice because its first response was lost: ${created.id} is ` +
        `managed, and ${id}, which appeared late, looks like a duplicate. Delete ${id} unless it has another owner.`,
    );
  }
}
