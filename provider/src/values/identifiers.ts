import { ID_CHARACTERS, isSafeId } from './decoding';
import { echo } from './failure';

export type IdentifierKind = 'ipPolicyRule' | 'ipPolicy' | 'tcpEdge' | 'httpsEdge' | 'httpsEdgeRoute';

interface IdentifierShape {
  readonly prefix: string;
  readonly name: string;
}

const shapes: Readonly<Record<IdentifierKind, IdentifierShape>> = {
  ipPolicyRule: { prefix: 'ipr_', name: 'IP policy rule id' },
  ipPolicy: { prefix: 'ipp_', name: 'IP policy id' },
  tcpEdge: { prefix: 'edgtcp_', name: 'TCP edge id' },
  httpsEdge: { prefix: 'edghts_', name: 'HTTPS edge id' },
  httpsEdgeRoute: { prefix: 'edghtsrt_', name: 'HTTPS edge route id' },
};

export const prefixOf = (kind: IdentifierKind): string => shapes[kind].prefix;

/** Why a text is not an identifier of the kind, with the kind that it belongs to instead; undefined if it is one. */
export function checkIdentifier(text: string, kind: IdentifierKind): string | undefined {
  const { prefix, name } = shapes[kind];
  const expected = `${withArticle(name)} starts with ${prefix}`;
  if (text === '') return `is empty: ${expected}`;
  const other = Object.values(shapes).find((shape) => text.startsWith(shape.prefix));
  if (other !== undefined && other.prefix !== prefix) {
    return `${echo(text)} is ${withArticle(other.name)}: ${expected}`;
  }
  if (other === undefined) return `${echo(text)} is not ${withArticle(name)}: ${expected}`;
  if (isSafeId(text) && text !== prefix) return undefined;
  return `${echo(text)} is not ${withArticle(name)}: ${expected} and has at most 128 ${ID_CHARACTERS}`;
}

/** The identifier of a kind in the id of a resource, which may consist of several; a text without one is returned as it is. */
export const identifierIn = (id: string, kind: IdentifierKind): string =>
  id.split('/').find((part) => part.startsWith(shapes[kind].prefix)) ?? id;

const withArticle = (name: string): string =>
  `${name.startsWith('I') || name.startsWith('H') ? 'an' : 'a'} ${name}`;
