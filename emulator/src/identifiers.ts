const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** `prefix_` and 27 letters or digits; random enough to be unique, which is all an identifier needs here. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ALPHABET.charAt(Math.random() * ALPHABET.length);
  return id;
}

/** One part of an identifier: what it begins with, and what it identifies. */
interface IdentifierPart {
  readonly prefix: string;
  readonly name: string;
}

/** What rules and modules belong to, by the names that seed and state use; a route is identified by `edgeId/routeId`. */
export const PARENTS = {
  policies: [{ prefix: 'ipp', name: 'IP policy' }],
  tcpEdges: [{ prefix: 'edgtcp', name: 'TCP edge' }],
  routes: [
    { prefix: 'edghts', name: 'HTTPS edge' },
    { prefix: 'edghtsrt', name: 'route' },
  ],
} as const satisfies Record<string, readonly IdentifierPart[]>;

export type ParentKind = keyof typeof PARENTS;

export const parentKinds = Object.keys(PARENTS) as ParentKind[];

/** What the parts of an identifier look like, in their order. */
export const identifierParts = (kind: ParentKind): (IdentifierPart & { readonly pattern: string })[] =>
  PARENTS[kind].map((part) => ({ ...part, pattern: `^${part.prefix}_[A-Za-z0-9_-]{1,128}$` }));

/** Whether the text is an identifier of the kind. */
export function isWellFormed(kind: ParentKind, id: string): boolean {
  const texts = id.split('/');
  const parts = identifierParts(kind);
  return (
    texts.length === parts.length &&
    parts.every(({ pattern }, index) => new RegExp(pattern).test(texts[index] ?? ''))
  );
}

/** What an identifier of the kind identifies, in words. */
export const parentName = (kind: ParentKind): string => PARENTS[kind].map(({ name }) => name).at(-1) ?? '';
