const RULE_PREFIX = 'rule ';

/** The key of a rule. The key of a module is its type and its id. */
export const ruleKey = (id: string): string => RULE_PREFIX + id;

export const isRuleKey = (key: string): boolean => key.startsWith(RULE_PREFIX);

/** The id of the rule with this key. */
export const ruleIdOf = (key: string): string => key.slice(RULE_PREFIX.length);

/** The ids of a list in state, one a line. */
export const idsIn = (idList: string): string[] => idList.split('\n').filter((id) => id !== '');
