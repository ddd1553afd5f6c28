import type { Expression } from './cel';

/** Names and functions with the same value whenever they are evaluated for one connection. */
const PURE_PATHS = [/^conn\.geo(?:\.|$)/, /^conn\.client_ip(?:\.|$)/];

const PURE_FUNCTIONS = new Set([
  ...'size startsWith endsWith contains matches lowerAscii upperAscii toLower toUpper replace split join'.split(
    ' ',
  ),
  ...'substring trim indexOf lastIndexOf charAt reverse string has'.split(' '),
  ...['inCidrRange', 'inCidrRanges', 'isPrivateIp'],
]);

/** Whether an expression has the same value wherever it occurs: then equal texts are one condition. */
export function isPure(node: Expression): boolean {
  switch (node.op) {
    case 'value':
      // Different texts have equal trees: the parser keeps one byte of each character of bytes, and does not tell the smallest
      // integer from the negation of one beyond 64 bits, which is an error.
      return !(node.args instanceof Uint8Array) && isInteger64(node.args);
    case 'id':
      return false;
    case '.':
      return isPurePath(node) || (node.args[0].op !== 'id' && isPure(node.args[0]));
    case 'call':
      return PURE_FUNCTIONS.has(node.args[0]) && node.args[1].every(isPure);
    case 'rcall':
      return PURE_FUNCTIONS.has(node.args[0]) && [node.args[1], ...node.args[2]].every(isPure);
    case 'list':
      return node.args.every(isPure);
    case 'map':
      return node.args.flat().every(isPure);
    case '!_':
    case '-_':
      return isPure(node.args);
    case '.?':
    case '[?]':
      return false;
    default:
      return node.args.every(isPure);
  }
}

/** Whether a value is no integer, or one that 64 bits hold. */
export const isInteger64 = (value: unknown): boolean =>
  typeof value !== 'bigint' || BigInt.asIntN(64, value) === value;

function isPurePath(node: Expression): boolean {
  const path = pathOf(node);
  return path !== undefined && PURE_PATHS.some((pattern) => pattern.test(path));
}

/** `conn.geo.country_code` of a chain of names. */
function pathOf(node: Expression): string | undefined {
  if (node.op === 'id') return node.args;
  if (node.op !== '.') return undefined;
  const parent = pathOf(node.args[0]);
  return parent === undefined ? undefined : `${parent}.${node.args[1]}`;
}
