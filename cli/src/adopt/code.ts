import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

const LINE_WIDTH = 80;

/** A text, number, boolean or null as TypeScript. Unprintable characters are escaped: code must not look like what it is not. */
export const literal = (value: unknown): string => printableJson(value).trimEnd();

/** A value as TypeScript: on one line if it fits and need not be open, otherwise with each member on a line of its own. */
export function codeOf(value: unknown, indent = '', isOpen = false): string {
  if (typeof value !== 'object' || value === null) return literal(value);
  const flat = flatCode(value);
  if (!isOpen && indent.length + flat.length <= LINE_WIDTH) return flat;
  const inner = `${indent}  `;
  const lines = membersOf(value).map(([key, member]) => `${inner}${key}${codeOf(member, inner)},\n`);
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  return lines.length === 0 ? flat : `${begin}\n${lines.join('')}${indent}${end}`;
}

function flatCode(value: unknown): string {
  if (typeof value !== 'object' || value === null) return literal(value);
  const members = membersOf(value).map(([key, member]) => `${key}${flatCode(member)}`);
  if (Array.isArray(value)) return `[${members.join(', ')}]`;
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The members of a list or an object, each with the text that stands before it. */
const membersOf = (value: object): (readonly [key: string, member: unknown])[] =>
  Array.isArray(value)
    ? value.map((member: unknown) => ['', member])
    : Object.entries(value).map(([key, member]) => [`${propertyName(key)}: `, member]);

/** A plain `__proto__` key would set the object's prototype instead of a property. */
function propertyName(key: string): string {
  if (key === '__proto__') return `[${literal(key)}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}
