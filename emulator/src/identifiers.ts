const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** `prefix_` and 27 letters or digits; random enough to be unique, which is all that an identifier needs here. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ALPHABET.charAt(Math.random() * ALPHABET.length);
  return id;
}

/** Like `randomIdentifier`, with every other character that needs no escaping in a path. */
export const oddIdentifier = (prefix: string): string => randomIdentifier(prefix).replace(/..(.)$/, '.~-_$1');

/** One part of an identifier: its form, and the kind of object. */
interface IdentifierPart {
  readonly form: RegExp;
  readonly name: string;
}

const part = (prefix: string, name: string): IdentifierPart => ({
  form: new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,128}$`),
  name,
});

/** The parents of rules and modules, by the names that seed and state use; a route is identified by `edgeId/routeId`. */
const PARENTS = {
  policies: [part('ipp', 'IP policy')],
  tcpEdges: [part('edgtcp', 'TCP edge')],
  routes: [part('edghts', 'HTTPS edge'), part('edghtsrt', 'route')],
} satisfies Record<string, readonly IdentifierPart[]>;

export type ParentKind = keyof typeof PARENTS;

export const parentKinds = Object.keys(PARENTS) as ParentKind[];

export function isWellFormed(kind: ParentKind, id: string): boolean {
  const texts = id.split('/');
  const parts: readonly IdentifierPart[] = PARENTS[kind];
  return texts.length === parts.length && parts.every(({ form }, index) => form.test(texts[index] ?? ''));
}

export const parentName = (kind: ParentKind): string => PARENTS[kind].map(({ name }) => name).at(-1) ?? '';
