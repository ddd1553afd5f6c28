const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 27;

/** `prefix_` and 27 letters or digits; random enough to be unique, which is all an identifier needs here. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (let index = 0; index < ID_LENGTH; index += 1) id += ALPHABET.charAt(Math.random() * ALPHABET.length);
  return id;
}

export type ParentKind = 'policy' | 'tcpEdge' | 'route';

const wellFormed: Record<ParentKind, RegExp> = {
  policy: /^ipp_[A-Za-z0-9_-]{1,128}$/,
  tcpEdge: /^edgtcp_[A-Za-z0-9_-]{1,128}$/,
  route: /^edghts_[A-Za-z0-9_-]{1,128}\/edghtsrt_[A-Za-z0-9_-]{1,128}$/,
};

/** Whether the text is an identifier of the kind; a route is named `edgeId/routeId`. */
export function isWellFormed(kind: ParentKind, id: string): boolean {
  return wellFormed[kind].test(id);
}
