import type { Deadline } from '../api/deadline';
import { isAlreadyExists, isAmbiguous } from '../api/errors';
import type { IpPolicyRuleCreateWire, IpPolicyRuleWire } from '../api/wire';
import { UserError } from '../lifecycle/user-error';
import { sameCidr } from '../values/cidr';
import { importRuleCommand, nameRule } from './adoption-advice';
import type { Tools } from './tools';

/** How long to wait before each look at the list; together more than the 10 s by which a list may lag. */
const LOOK_UP_DELAYS_MS = [0, 1_000, 2_000, 4_000, 8_000];

/** A Date header has whole seconds, and so may `created_at`. */
const CLOCK_GRAIN_MS = 1_000;

/**
 * Creates a rule exactly once, also where the answer is lost: a POST that may have reached the service is never sent
 * again blindly. The rule is looked up and adopted; only where it does not appear is one more POST sent.
 *
 * @throws UserError naming the rule that exists already, the candidates, or what may exist now.
 */
export async function createRule(
  tools: Tools,
  body: IpPolicyRuleCreateWire,
  deadline: Deadline,
): Promise<IpPolicyRuleWire> {
  // Two identical declarations of one run must not look each other's rule up: one after the other.
  const created = await tools.ledger.oneAtATime(identityKey(body), async () => {
    const rule = await postAndSettle({ tools, body, deadline });
    tools.ledger.noteRule(rule.id);
    return rule;
  });
  return created;
}

interface Creation {
  readonly tools: Tools;
  readonly body: IpPolicyRuleCreateWire;
  readonly deadline: Deadline;
}

async function postAndSettle(creation: Creation): Promise<IpPolicyRuleWire> {
  const startedAtMs = creation.tools.client.clock.now();
  try {
    return await post(creation);
  } catch (error) {
    if (isAlreadyExists(error)) throw await alreadyExists(creation, error);
    if (!isAmbiguous(error)) throw error;
  }
  const lost = await lookUp(creation, startedAtMs);
  if (lost !== undefined) return adopt(creation, lost);
  try {
    return await post(creation);
  } catch (error) {
    if (!isAmbiguous(error) && !isAlreadyExists(error)) throw error;
  }
  const late = await lookUp(creation, startedAtMs);
  if (late !== undefined) return adopt(creation, late);
  throw outcomeUnknown(creation.body);
}

async function post({ tools, body, deadline }: Creation): Promise<IpPolicyRuleWire> {
  const answered = await tools.client.createIpPolicyRule(body, deadline);
  if (!isSameRule(answered, body)) throw new OtherObjectError();
  return answered;
}

/** The service answered a create with an object that was not asked for: what was asked for may exist or not. */
class OtherObjectError extends Error {
  readonly outcome = 'ambiguous';
}

/** Looks for the rule of a lost answer with growing delays; `undefined` where it does not appear. */
async function lookUp(creation: Creation, startedAtMs: number): Promise<IpPolicyRuleWire | undefined> {
  const { client } = creation.tools;
  for (const delayMs of LOOK_UP_DELAYS_MS) {
    await client.clock.sleep(Math.min(delayMs, creation.deadline.remainingMs()));
    const candidates = await candidatesFor(creation, startedAtMs);
    if (candidates.length > 1) throw severalCandidates(creation.body, candidates);
    if (candidates[0] !== undefined) return candidates[0];
  }
  return undefined;
}

async function candidatesFor(creation: Creation, startedAtMs: number): Promise<IpPolicyRuleWire[]> {
  const { client, ledger } = creation.tools;
  const candidates: IpPolicyRuleWire[] = [];
  try {
    for await (const page of client.listIpPolicyRules(creation.deadline)) {
      candidates.push(...page.ip_policy_rules.filter((rule) => isSameRule(rule, creation.body)));
    }
  } catch {
    throw outcomeUnknown(creation.body);
  }
  // Only now, as the list's own answers are what tells how the service's clock differs from ours.
  const startedThereMs = startedAtMs + (client.serverTimeOffsetMs() ?? 0);
  const earliestMs = Math.floor(startedThereMs / CLOCK_GRAIN_MS) * CLOCK_GRAIN_MS;
  return candidates.filter((rule) => !ledger.knowsRule(rule.id) && Date.parse(rule.created_at) >= earliestMs);
}

function adopt({ tools }: Creation, rule: IpPolicyRuleWire): IpPolicyRuleWire {
  tools.warn(
    `The answer to the create of ${rule.action} ${rule.cidr} was lost; the rule exists as ${rule.id} and was taken over.`,
  );
  return rule;
}

/** Whether a live rule is the one that a create body asks for. */
export function isSameRule(rule: IpPolicyRuleWire, body: IpPolicyRuleCreateWire): boolean {
  return (
    rule.ip_policy.id === body.ip_policy_id &&
    rule.action === body.action &&
    sameCidr(rule.cidr, body.cidr) &&
    (rule.description ?? '') === (body.description ?? '') &&
    (rule.metadata ?? '') === (body.metadata ?? '')
  );
}

const identityKey = (body: IpPolicyRuleCreateWire): string =>
  JSON.stringify([body.ip_policy_id, body.cidr, body.action, body.description ?? '', body.metadata ?? '']);

const describe = (body: IpPolicyRuleCreateWire): string =>
  `IP policy rule "${body.action} ${body.cidr}" of ${body.ip_policy_id}`;

async function alreadyExists({ tools, body, deadline }: Creation, refused: unknown): Promise<Error> {
  const existing: IpPolicyRuleWire[] = [];
  try {
    for await (const page of tools.client.listIpPolicyRules(deadline)) {
      existing.push(...page.ip_policy_rules.filter((rule) => isSameNetwork(rule, body)));
    }
  } catch {
    // Without the list the sentence is shorter, and still true.
  }
  const named = existing.length === 0 ? '' : `: ${existing.map(nameRule).join(', ')}`;
  return new UserError(
    `${describe(body)} was not created, as the policy already has a rule for this CIDR${named}. ` +
      `If another resource of this program declares it, remove one of the two. ` +
      `To manage the existing rule, import it: ${importRuleCommand(body.ip_policy_id, body.cidr)}\n` +
      `The service said: ${refused instanceof Error ? refused.message : 'nothing'}`,
  );
}

const isSameNetwork = (rule: IpPolicyRuleWire, body: IpPolicyRuleCreateWire): boolean =>
  rule.ip_policy.id === body.ip_policy_id && sameCidr(rule.cidr, body.cidr);

const severalCandidates = (
  body: IpPolicyRuleCreateWire,
  candidates: readonly IpPolicyRuleWire[],
): UserError =>
  new UserError(
    `The answer to the create of ${describe(body)} was lost, and several rules could be it: ` +
      `${candidates.map(nameRule).join(', ')}. Delete the ones that are not wanted, or import the one to keep: ` +
      importRuleCommand(body.ip_policy_id, body.cidr),
  );

const outcomeUnknown = (body: IpPolicyRuleCreateWire): UserError =>
  new UserError(
    `Outcome unknown: ${describe(body)} may exist in policy ${body.ip_policy_id} with CIDR ${body.cidr}, ` +
      `as the answer to its create was lost and it could not be looked up. ` +
      `Run "npx edge-policy list --policy ${body.ip_policy_id}" before the next up.`,
  );
