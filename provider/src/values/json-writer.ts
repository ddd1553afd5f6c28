import type { JsonNode } from './json-text';

/** How a JSON value is written; by default on one line, with its keys in their order and its digits as they are. */
export interface JsonStyle {
  /** Keys sorted by name. The values of a repeated key keep their order: readers take the first or the last. */
  readonly hasSortedKeys?: boolean;
  /** The indentation of each level; without it, all is on one line. */
  readonly indentation?: string;
  readonly number?: (digits: string) => string;
  readonly string?: (text: string) => string;
}

/** Writes a JSON value: the only writer of what {@link parseJson} reads. */
export const writeJson = (node: JsonNode, style: JsonStyle = {}): string => write(node, style, '\n');

function write(node: JsonNode, style: JsonStyle, lineBreak: string): string {
  const { indentation, number = (digits: string) => digits, string = JSON.stringify } = style;
  const inner = lineBreak + (indentation ?? '');
  const listed = (items: readonly string[], [open, close]: readonly [string, string]): string =>
    indentation === undefined || items.length === 0
      ? `${open}${items.join(',')}${close}`
      : `${open}${items.map((item) => inner + item).join(',')}${lineBreak}${close}`;
  switch (node.kind) {
    case 'object': {
      const colon = indentation === undefined ? ':' : ': ';
      const members = style.hasSortedKeys === true ? [...node.members].sort(byKey) : node.members;
      const written = members.map(({ key, value }) => `${string(key)}${colon}${write(value, style, inner)}`);
      return listed(written, ['{', '}']);
    }
    case 'array':
      return listed(
        node.items.map((item) => write(item, style, inner)),
        ['[', ']'],
      );
    case 'string':
      return string(node.value);
    case 'number':
      return number(node.text);
    default:
      return node.text;
  }
}

const byKey = (left: { readonly key: string }, right: { readonly key: string }): number =>
  left.key < right.key ? -1 : Number(left.key > right.key);
