const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** `prefix_` and 27 letters or digits; random enough to be unique, which is all that an identifier needs here. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ALPHABET.charAt(Math.random() * ALPHABET.length);
  return id;
}

/** One part of an identifier: its prefix, and the kind of object. */
interface IdentifierPart {
  readonly prefix: string;
  readonly name: string;
}

/** The parents of rules and modules, by the names that seed and state use; a route is identified by `edgeId/routeId`. */
const PARENTS = {
  policies: [{ prefix: 'ipp', name: 'IP policy' }],
  tcpEdges: [{ prefix: 'edgtcp', name: 'TCP edge' }],
  routes: [
    { prefix: 'edghts', name: 'HTTPS edge' },
    { prefix: 'edghtsrt', name: 'route' },
  ],
} as const satisfies Record<string, readonly IdentifierPart[]>;

export type ParentKind = keyof typeof PARENTS;

export const parentKinds = Object.keys(PARENTS) as ParentKind[];

/** The form of an identifier's parts, in their order. */
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

/** The kind of object that an identifier names, in words. */
export const parentName = (kind: ParentKind): string => PARENTS[kind].map(({ name }) => name).at(-1) ?? '';
