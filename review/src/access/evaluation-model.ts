/**
 * Who gets in by an IP policy. The API document is silent, so this is an assumption with a name:
 * - `deny-wins`: in if at least one allow rule matches and no deny rule does, in any order. The default: it is what the
 *   public service of this interface is known to do.
 * - `block-list`: in unless a deny rule matches; allow rules do nothing.
 * - `allow-wins`: in if an allow rule matches; deny rules do nothing.
 * - `allow-overrides`: in if an allow rule matches or no deny rule does.
 */
export const IP_MODELS = ['deny-wins', 'block-list', 'allow-wins', 'allow-overrides'] as const;

/** One of {@link IP_MODELS}. */
export type IpModel = (typeof IP_MODELS)[number];

/** Whether an address that no rule matches gets in. */
export const letsUnmatchedIn = (model: IpModel): boolean =>
  model === 'block-list' || model === 'allow-overrides';

/** Whether a deny rule wins over an allow rule. */
export const isDenyStronger = (model: IpModel): boolean => model === 'deny-wins' || model === 'block-list';

/** Whether allow rules let anybody in. */
export const doAllowsCount = (model: IpModel): boolean => model !== 'block-list';

/** Whether deny rules keep anybody out. */
export const doDeniesCount = (model: IpModel): boolean => model !== 'allow-wins';
