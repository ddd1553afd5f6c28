import { echo, nearestName } from './failure';

export const ACTIONS = ['allow', 'deny'] as const;

export type RuleAction = (typeof ACTIONS)[number];

/** The actions by name: `Action.Allow` is `'allow'`, as Pulumi's code generators write it. The type is that of both. */
export const Action = { Allow: 'allow', Deny: 'deny' } as const satisfies Record<string, RuleAction>;
export type Action = RuleAction;

/** Why a text is not an action, with the one that was probably meant; undefined if it is one. */
export function checkAction(text: string): string | undefined {
  if ((ACTIONS as readonly string[]).includes(text)) return undefined;
  const word = text.trim().toLowerCase();
  const meant = ACTIONS.find((action) => action === word) ?? nearestName(word, ACTIONS);
  const expected = meant === undefined ? 'must be allow or deny' : `did you mean ${meant}?`;
  return `${echo(text)} is not an action: ${expected}`;
}
