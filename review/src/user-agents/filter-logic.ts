import type { ModuleDeclaration } from '../model/declarations';
import { valueOf } from '../model/known';
import type { Cone } from './find-word';
import { compilePattern } from './compiled-patterns';
import { type FilterList, patternsIn, type UserAgentModel, type UserAgentVerdict } from './user-agent-model';

/** A list of a filter. A hidden list, or an invalid pattern, becomes an unknown. */
export interface PatternList {
  readonly patterns: readonly string[];
  /** Names the unknown: equal names mean the same on both sides. */
  readonly unknowns: readonly string[];
}

/** The prefix of an unknown that is an invalid pattern. */
const INVALID = 'pattern ';

/** The prefix of an unknown that is one hidden pattern. */
const HIDDEN_ENTRY = 'entry ';

export const invalidPattern = (unknown: string): string[] =>
  unknown.startsWith(INVALID) ? [unknown.slice(INVALID.length)] : [];

/** What is in force on a route: everybody gets in, or a filter decides. */
export type FilterLogic =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'filter';
      readonly allow: PatternList;
      readonly deny: PatternList;
      /** Names the switch if it is hidden: the filter may be off. */
      readonly hiddenSwitch?: string;
    };

export const OPEN: FilterLogic = { kind: 'open' };

/** Reads a filter. `nameOf` names its hidden parts. */
export function logicOf(filter: ModuleDeclaration, nameOf: (property: string) => string): FilterLogic {
  const { isEnabled } = filter;
  if (isEnabled.isKnown && !isEnabled.value) return OPEN;
  const list = (property: FilterList): PatternList => {
    const value = patternsIn(filter, property);
    if (!value.isKnown) return { patterns: [], unknowns: [nameOf(property)] };
    const patterns = [...new Set(value.value.flatMap((pattern) => valueOf(pattern) ?? []))].sort();
    const isValid = (pattern: string) => compilePattern(pattern) !== undefined;
    const hidden = value.value.filter((pattern) => !pattern.isKnown);
    return {
      patterns: patterns.filter(isValid),
      unknowns: [
        ...patterns.filter((pattern) => !isValid(pattern)).map((pattern) => INVALID + pattern),
        ...hidden.map((_, index) => `${HIDDEN_ENTRY}${nameOf(`${property} ${index}`)}`),
      ],
    };
  };
  return {
    kind: 'filter',
    allow: list('allow'),
    deny: list('deny'),
    ...(!isEnabled.isKnown && { hiddenSwitch: nameOf('enabled') }),
  };
}

/** A filter's decision about one text; undefined if an unknown decides. */
export function letsIn(
  logic: FilterLogic,
  userAgent: string | null,
  model: UserAgentModel,
): boolean | undefined {
  if (logic.kind === 'open') return true;
  const text = userAgent ?? '';
  const allow = finds(logic.allow, text);
  const deny = finds(logic.deny, text);
  const isIn = decide({ allow, deny, hasAllow: hasPatterns(logic.allow) }, userAgent, model);
  if (logic.hiddenSwitch === undefined || isIn === true) return isIn;
  return undefined;
}

type Answer = boolean | undefined;

function decide(
  { allow, deny, hasAllow }: { allow: Answer; deny: Answer; hasAllow: Answer },
  userAgent: string | null,
  model: UserAgentModel,
): Answer {
  if (model === 'allow-wins') return or(allow, userAgent === null ? false : no(deny));
  const isAllowed = model === 'deny-wins' ? or(no(hasAllow), allow) : allow;
  return no(or(deny, no(isAllowed)));
}

const no = (answer: Answer): Answer => (answer === undefined ? undefined : !answer);
function or(left: Answer, right: Answer): Answer {
  if (left === true || right === true) return true;
  return left === undefined || right === undefined ? undefined : false;
}

function finds({ patterns, unknowns }: PatternList, text: string): Answer {
  if (patterns.some((pattern) => compilePattern(pattern)?.finds(text))) return true;
  return unknowns.length > 0 ? undefined : false;
}

/** A list with an invalid or hidden pattern is not empty; a hidden list may be. */
function hasPatterns({ patterns, unknowns }: PatternList): Answer {
  if (
    patterns.length > 0 ||
    unknowns.some((name) => name.startsWith(INVALID) || name.startsWith(HIDDEN_ENTRY))
  )
    return true;
  return unknowns.length > 0 ? undefined : false;
}

/** A cone with possibly unknown parts: the search leaves invalid patterns open. */
const cone = (found: readonly PatternList[], notFound: readonly PatternList[]): Cone => ({
  found: found.map(allOf),
  notFound: notFound.flatMap(allOf),
});

/** A character that no pattern can contain keeps names of unknowns apart from patterns. */
const allOf = ({ patterns, unknowns }: PatternList): readonly string[] => [
  ...patterns,
  ...unknowns.map((name) => UNKNOWN + name),
];

const UNKNOWN = '\u0000';
const isUnknown = (pattern: string): boolean => pattern.startsWith(UNKNOWN);

const EVERYTHING: Cone = { found: [], notFound: [] };

export function admitted(logic: FilterLogic, model: UserAgentModel): Cone[] {
  if (logic.kind === 'open') return [EVERYTHING];
  const { allow, deny, hiddenSwitch } = logic;
  const isOff = hiddenSwitch === undefined ? [] : [{ found: [], notFound: [UNKNOWN + hiddenSwitch] }];
  if (model === 'allow-wins') return [...isOff, cone([allow], []), cone([], [deny])];
  const withAllow = cone([allow], [deny]);
  if (model === 'allow-required' || hasPatterns(allow) === true) return [...isOff, withAllow];
  return hasPatterns(allow) === false
    ? [...isOff, cone([], [deny])]
    : [...isOff, withAllow, cone([], [deny])];
}

export function refused(logic: FilterLogic, model: UserAgentModel): Cone[] {
  if (logic.kind === 'open') return [];
  const { allow, deny, hiddenSwitch } = logic;
  const isOn = hiddenSwitch === undefined ? [] : [[UNKNOWN + hiddenSwitch]];
  const notAllowed = model === 'deny-wins' && hasPatterns(allow) === false ? [] : [cone([], [allow])];
  const cones = model === 'allow-wins' ? [cone([deny], [allow])] : [cone([deny], []), ...notAllowed];
  return cones.map(({ found, notFound }) => ({ found: [...found, ...isOn], notFound }));
}

/** A client without the header: under one of the models only an allow pattern lets it in. */
export function withoutHeader(
  logic: FilterLogic,
  model: UserAgentModel,
  { isIn }: { isIn: boolean },
): Cone[] {
  if (model !== 'allow-wins' || logic.kind === 'open') return (isIn ? admitted : refused)(logic, model);
  const deny = { ...logic.deny, patterns: [...logic.deny.patterns, ''] };
  const ifAlwaysDenied: FilterLogic = { ...logic, deny };
  return (isIn ? admitted : refused)(ifAlwaysDenied, model);
}

/** Whether a text is in a cone for some meaning of the unknowns. */
export const mayContain = ({ found, notFound }: Cone, text: string): boolean =>
  !notFound.some((pattern) => !isUnknown(pattern) && isFound(pattern, text)) &&
  found.every((group) =>
    group.some((pattern) => (isUnknown(pattern) ? !notFound.includes(pattern) : isFound(pattern, text))),
  );

const isFound = (pattern: string, text: string): boolean => compilePattern(pattern)?.finds(text) === true;

/** The part of a cone that does not depend on unknowns, if there is one. */
export function surePart({ found, notFound }: Cone): Cone[] {
  if (notFound.some(isUnknown) || !found.flat().some(isUnknown)) return [];
  return [{ found: found.map((group) => group.filter((pattern) => !isUnknown(pattern))), notFound }];
}

export const hasUnknowns = (logic: FilterLogic): boolean =>
  logic.kind === 'filter' &&
  (logic.hiddenSwitch !== undefined || logic.allow.unknowns.length + logic.deny.unknowns.length > 0);

export const meet = (left: readonly Cone[], right: readonly Cone[]): Cone[] =>
  left.flatMap((one) =>
    right.map((other) => ({
      found: [...one.found, ...other.found],
      notFound: [...new Set([...one.notFound, ...other.notFound])],
    })),
  );

/** What a filter decides; a hidden or invalid part decides nothing. Without a filter, all get in. */
export function userAgentVerdict(
  filter: ModuleDeclaration | undefined,
  model: UserAgentModel,
): (userAgent: string | null) => UserAgentVerdict | undefined {
  const logic = filter ? logicOf(filter, (property) => property) : OPEN;
  return (userAgent) => {
    const isLetIn = letsIn(logic, userAgent, model);
    if (isLetIn === undefined) return undefined;
    const decidedBy = decidingPattern(logic, userAgent, { isLetIn, model });
    return { isLetIn, ...(decidedBy && { decidedBy }) };
  };
}

/** A client without the header is refused by default under one of the models, and not by a deny pattern. */
function decidingPattern(
  logic: FilterLogic,
  userAgent: string | null,
  { isLetIn, model }: { readonly isLetIn: boolean; readonly model: UserAgentModel },
): UserAgentVerdict['decidedBy'] {
  const isByDefault = !isLetIn && userAgent === null && model === 'allow-wins';
  if (logic.kind === 'open' || isByDefault) return undefined;
  const list = isLetIn ? 'allow' : 'deny';
  const pattern = logic[list].patterns.find((each) => compilePattern(each)?.finds(userAgent ?? ''));
  return pattern === undefined ? undefined : { list, pattern };
}
