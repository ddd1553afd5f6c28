const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** `prefix_` and 27 letters or digits; random enough to be unique, which is all that an identifier needs here. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ALPHABET.charAt(Math.random() * ALPHABET.length);
  return id;
}

const form = (...prefixes: readonly string[]): RegExp =>
  new RegExp(`^${prefixes.map((prefix) => `${prefix}_[A-Za-z0-9_-]{1,128}`).join('/')}$`);

/** The parents of rules and modules, by the names that seed and state use; a route is identified by `edgeId/routeId`. */
const PARENTS = {
  policies: { name: 'IP policy', form: form('ipp') },
  tcpEdges: { name: 'TCP edge', form: form('edgtcp') },
  routes: { name: 'route', form: form('edghts', 'edghtsrt') },
};

export type ParentKind = keyof typeof PARENTS;

export const parentKinds = Object.keys(PARENTS) as ParentKind[];

/** Whether the text is an identifier of the kind. */
export const isWellFormed = (kind: ParentKind, id: string): boolean => PARENTS[kind].form.test(id);

/** The kind of object that an identifier names, in words. */
export const parentName = (kind: ParentKind): string => PARENTS[kind].name;
