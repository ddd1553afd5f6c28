import type { Settleable } from '../errors/partial-failure';
import { withoutAbsent } from '../fields/field';
import type { LiveRule, SetRule } from '../rule/rule';
import { containsUnknown } from '../values/unknowns';
import { isSameRules, withLeftOut } from './rule-ends';
import {
  inLines,
  liveRulesInState,
  networkOfKey,
  parseIdList,
  parseRules,
  readRuleLines,
  rulesInState,
  type RulesInState,
} from './rules-text';

/** Whether a set owns its whole policy, if the program does not say. */
export const EXCLUSIVE_BY_DEFAULT = false;

export interface IpPolicyRuleSetInputs {
  readonly ipPolicyId: string;
  /** The canonical text of the rules; see `rules-text.ts`. */
  readonly rules: string;
  readonly exclusive: boolean;
  readonly overwriteExisting?: boolean;
}

export interface IpPolicyRuleSetState extends IpPolicyRuleSetInputs, RulesInState, Settleable {
  /** By the clock of the service, or when it may have done so. Lists may not show younger rules yet. */
  readonly changedAt?: string;
  /** One `CIDR action` per line, without texts, as the engine decides by a property's name whether to encrypt it. */
  readonly unsettledRules?: string;
}

/** Always secret in state. These properties repeat parts of `rules`, and hosts never learn whether those are secret. */
export const SECRET_IN_STATE: readonly string[] = ['unsettledRules'];

export const declaredRules = ({ rules }: IpPolicyRuleSetInputs): SetRule[] => parseRules(rules);

type Settings = Omit<IpPolicyRuleSetState, keyof RulesInState>;

/** The state of a set with these live rules and the rules that a text leaves out; that very text if it is equal. */
export function ruleSetState(
  settings: { readonly [Name in keyof Settings]: Settings[Name] | undefined },
  live: readonly LiveRule[],
  text?: string,
): IpPolicyRuleSetState {
  const { rules: now, ruleIdList } = rulesInState(live);
  const rules = text === undefined ? now : beside(text, withLeftOut(now, text));
  // A property that is absent is no property: state and inputs are compared.
  return { ...(withoutAbsent(settings) as Settings), rules, ruleIdList };
}

const beside = (before: string, now: string): string => (isSameRules(before, now) ? before : inLines(now));

/** Each may be as young as the latest of them. */
export const wantedOf = (
  known: readonly LiveRule[],
  { ipPolicyId, changedAt }: Pick<IpPolicyRuleSetState, 'ipPolicyId' | 'changedAt'>,
): { id: string; ipPolicyId: string; createdAtLatest: string | undefined }[] =>
  known.map(({ id }) => ({ id, ipPolicyId, createdAtLatest: changedAt }));

type Declared = Pick<IpPolicyRuleSetInputs, 'rules'>;

export function stayingIds(olds: IpPolicyRuleSetState, news: Declared): readonly string[] {
  if (olds.rules === news.rules || containsUnknown(news.rules)) return parseIdList(olds.ruleIdList);
  return staying(liveRulesInState(olds), news).map(({ id }) => id);
}

/** The rules that stay in place. Their texts may still change. At a preview some values may be unknown. */
export function staying(live: readonly LiveRule[], { rules }: Declared): readonly LiveRule[] {
  const actions = new Map((readRuleLines(rules) ?? []).map(({ key, action }) => [networkOfKey(key), action]));
  return live.filter(({ cidr, action }) => actions.has(cidr) && (actions.get(cidr) ?? action) === action);
}
