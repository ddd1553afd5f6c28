import type { ApiClient } from '../../api/client';
import type { IpPolicyRuleWire } from '../../api/wire';
import { ipPolicyRuleBody, type IpPolicyRuleInputs } from '../../resources/ip-policy-rule';
import { canonicalCidr } from '../../values/cidr';
import { isOwn, managedIds, shortType } from '../pulumi/managed';
import { readRules } from '../read-rules';
import { providerUrn } from './accounts';
import type { ListEvidence } from './evidence';
import type { Interrupted } from './interrupted';
import { judgeHidden } from './judge-hidden';
import { judgeTrafficPolicyCreate, judgeUserAgentFilterCreate } from './judge-module';
import { judgeRuleCreate } from './judge-rule';
import { judgeRuleSetCreate, judgeRuleSetUpdate } from './judge-rule-set';
import type { JudgedOperation, Operation, Verdict } from './verdict';

/** What the operator has decided beforehand. */
export interface Decisions {
  /** Ids of rules to bring into the stack where it is not certain whose they are. */
  readonly take: readonly string[];
  /** URNs of interrupted operations to forget, whatever the service holds. */
  readonly clear: readonly string[];
}

const FOREIGN = 'a resource of another package: find out what became of it, then forget the operation';

/** Finds out, for every interrupted operation, what became of it; changes nothing. */
export async function judgeAll(
  interrupted: Interrupted,
  clients: ReadonlyMap<string, ApiClient>,
  decisions: Decisions,
): Promise<JudgedOperation[]> {
  const judge = new Judge(interrupted, clients, decisions);
  const judged: JudgedOperation[] = [];
  for (const operation of interrupted.operations) {
    judged.push({ operation, verdict: await judge.verdictOn(operation) });
  }
  // What a preview wants to do and has not been done, is nothing to settle.
  return interrupted.source === 'pending' ? judged : judged.filter(({ verdict }) => hasHappened(verdict));
}

const hasHappened = (verdict: Verdict): boolean =>
  verdict.kind === 'take' ||
  verdict.kind === 'refuse' ||
  (verdict.kind === 'refresh' && verdict.outputs !== undefined);

class Judge {
  private readonly managed: ReadonlyMap<string, string>;
  private readonly lists = new Map<ApiClient, Promise<IpPolicyRuleWire[]>>();

  constructor(
    private readonly interrupted: Interrupted,
    private readonly clients: ReadonlyMap<string, ApiClient>,
    private readonly decisions: Decisions,
  ) {
    this.managed = managedIds(interrupted.deployment);
  }

  async verdictOn(operation: Operation): Promise<Verdict> {
    if (this.decisions.clear.includes(operation.resource.urn))
      return { kind: 'clear', why: 'cleared as you said' };
    if (!isOwn(operation.resource)) return { kind: 'refuse', why: FOREIGN, candidates: [] };
    if (operation.type === 'updating' && isSet(operation)) return this.verdictOnSetUpdate(operation);
    if (operation.type === 'updating' || operation.type === 'deleting') {
      return { kind: 'refresh', why: 'read again from the service' };
    }
    if (operation.type !== 'creating') return { kind: 'clear', why: 'changes nothing on the service' };
    return this.verdictOnCreate(operation);
  }

  private async verdictOnCreate(operation: Operation): Promise<Verdict> {
    const client = this.clientOf(operation);
    const evidence = { client, managedIds: this.managed };
    if (isOfRules(operation) && isHidden(operation))
      return judgeHidden(operation, await this.ruleEvidence(client));
    switch (shortType(operation.resource.type)) {
      case 'IpPolicyRule':
        return this.verdictOnRule(operation, client);
      case 'IpPolicyRuleSet':
        return judgeRuleSetCreate(operation, await this.ruleEvidence(client));
      case 'TcpEdgeTrafficPolicyModule':
        return judgeTrafficPolicyCreate(operation, evidence);
      case 'HttpsEdgeRouteUserAgentFilterModule':
        return judgeUserAgentFilterCreate(operation, evidence);
      default:
        return { kind: 'refuse', why: 'this version does not know the type of the resource', candidates: [] };
    }
  }

  private async verdictOnRule(operation: Operation, client: ApiClient): Promise<Verdict> {
    const same = this.interrupted.operations.filter((other) => isSameCreate(other, operation));
    return judgeRuleCreate(operation, {
      ...(await this.ruleEvidence(client)),
      twins: same.length - 1,
      isInState: this.isInState(operation),
    });
  }

  private async verdictOnSetUpdate(operation: Operation): Promise<Verdict> {
    const { urn } = operation.resource;
    const { resources } = this.interrupted.deployment;
    const entry = resources.find((resource) => resource.urn === urn && resource.delete !== true);
    const evidence = await this.ruleEvidence(this.clientOf(operation));
    return isHidden(operation)
      ? judgeHidden(operation, evidence)
      : judgeRuleSetUpdate(operation, entry, evidence);
  }

  private async ruleEvidence(client: ApiClient): Promise<ListEvidence> {
    const list = this.lists.get(client) ?? readRules(client);
    this.lists.set(client, list);
    const rules = await list;
    const offsetMs = client.serverTimeOffsetMs() ?? 0;
    const { window } = this.interrupted;
    return { rules, managedIds: this.managed, window, offsetMs, takeIds: this.decisions.take };
  }

  private clientOf({ resource }: Operation): ApiClient {
    const client = this.clients.get(providerUrn(resource.provider));
    if (client === undefined) throw new Error('an operation without an account');
    return client;
  }

  /** A replacement that was interrupted has the resource it replaces under its name, and the time of its creation. */
  private isInState({ resource }: Operation): boolean {
    const { resources } = this.interrupted.deployment;
    const isLive = resources.some(
      ({ urn, ...entry }) => urn === resource.urn && !entry.delete && !entry.pendingReplacement,
    );
    return resource.created === undefined && isLive;
  }
}

const isHidden = ({ hidden = [] }: Operation): boolean => hidden.length > 0;

const isOfRules = ({ resource }: Operation): boolean => shortType(resource.type).startsWith('IpPolicyRule');

const isSet = ({ resource }: Operation): boolean => shortType(resource.type) === 'IpPolicyRuleSet';

function isSameCreate(left: Operation, right: Operation): boolean {
  if (left.type !== 'creating' || left.resource.type !== right.resource.type) return false;
  return (
    providerUrn(left.resource.provider) === providerUrn(right.resource.provider) &&
    keyOf(left) === keyOf(right)
  );
}

function keyOf({ inputs }: Operation): string {
  const { cidr, ip_policy_id, action, description, metadata } = ipPolicyRuleBody(
    inputs as unknown as IpPolicyRuleInputs,
  );
  return JSON.stringify([
    canonicalCidr(cidr) ?? cidr,
    ip_policy_id,
    action,
    description ?? '',
    metadata ?? '',
  ]);
}
