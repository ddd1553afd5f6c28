import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const idLength = 27;

/** `prefix_` and 27 letters or digits, random. */
export function randomIdentifier(prefix: string): string {
  let id = `${prefix}_`;
  for (const byte of randomBytes(idLength)) id += alphabet.charAt(byte % alphabet.length);
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
