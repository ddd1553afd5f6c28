/**
 * Who gets in by an IP policy. The API document is silent, so this is an assumption with a name:
 * - `deny-wins`: in if at least one allow rule matches and no deny rule does, in any order. The default: it is what the
 *   public service of this interface is known to do.
 * - `block-list`: in unless a deny rule matches; allow rules do nothing.
 * - `allow-wins`: in if an allow rule matches; deny rules do nothing.
 * - `allow-overrides`: in if an allow rule matches or no deny rule does.
 */
export const IP_MODELS = ['deny-wins', 'block-list', 'allow-wins', 'allow-overrides'] as const;

export type IpModel = (typeof IP_MODELS)[number];

/** Whether an address gets in, by the rules that match it: none, only allow rules, only deny rules, or both. */
type Outcomes = Readonly<Record<'none' | 'allow' | 'deny' | 'both', boolean>>;

/** All that distinguishes the models: everything else about them follows from here. */
const OUTCOMES: Readonly<Record<IpModel, Outcomes>> = {
  'deny-wins': { none: false, allow: true, deny: false, both: false },
  'block-list': { none: true, allow: true, deny: false, both: false },
  'allow-wins': { none: false, allow: true, deny: false, both: true },
  'allow-overrides': { none: true, allow: true, deny: false, both: true },
};

export function getsIn(isAllowed: boolean, isDenied: boolean, model: IpModel): boolean {
  const { none, allow, deny, both } = OUTCOMES[model];
  if (isAllowed) return isDenied ? both : allow;
  return isDenied ? deny : none;
}

export const letsUnmatchedIn = (model: IpModel): boolean => getsIn(false, false, model);

export const isDenyStronger = (model: IpModel): boolean => !getsIn(true, true, model);

export const doAllowsCount = (model: IpModel): boolean =>
  [true, false].some((isDenied) => getsIn(true, isDenied, model) !== getsIn(false, isDenied, model));

export const doDeniesCount = (model: IpModel): boolean =>
  [true, false].some((isAllowed) => getsIn(isAllowed, true, model) !== getsIn(isAllowed, false, model));
