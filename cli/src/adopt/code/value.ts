import { stringLiteral } from './string-literal';
import { textWidth } from './text-width';

/** A constant that the program declares elsewhere, printed by its name. */
export class Reference {
  constructor(readonly name: string) {}
}

/** A value in a generated program. */
export type CodeValue =
  string | number | boolean | null | Reference | readonly CodeValue[] | { readonly [key: string]: CodeValue };

/** The position of a value: the line's indentation, and the columns taken before and after the value. */
export interface Place {
  readonly indent: string;
  readonly before: number;
  readonly after: number;
}

const LINE_WIDTH = 80;
const STEP = '  ';

/** Prints a value on one line if it fits, and otherwise over several, as Prettier lays it out. */
function printValue(value: CodeValue, place: Place): string {
  const flat = printFlat(value);
  const isForcedOpen = isListOfObjects(value);
  if (!isForcedOpen && fits(flat, place)) return flat;
  if (Array.isArray(value)) return printList(value as readonly CodeValue[], place.indent);
  if (isObject(value)) return printObject(value, place.indent);
  return flat;
}

/** Prints an object with each of its properties on a line of its own. */
export function printObject(object: Readonly<Record<string, CodeValue>>, indent: string): string {
  const inner = indent + STEP;
  const lines = Object.entries(object).map(([key, value]) => printProperty(key, value, inner));
  return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
}

function printProperty(key: string, value: CodeValue, indent: string): string {
  if (value instanceof Reference && value.name === key) return `${indent}${key},\n`;
  const name = propertyName(key);
  const before = textWidth(indent + name) + 2;
  // A text that is too long for the rest of the line moves to the next line; nothing else can be moved there.
  if (typeof value === 'string' && !fits(printFlat(value), { indent, before, after: 1 })) {
    return `${indent}${name}:\n${indent}${STEP}${printFlat(value)},\n`;
  }
  return `${indent}${name}: ${printValue(value, { indent, before, after: 1 })},\n`;
}

function printList(items: readonly CodeValue[], indent: string): string {
  const inner = indent + STEP;
  if (items.every((item) => typeof item === 'number')) return printNumbers(items, indent);
  const lines = items.map(
    (item) => `${inner}${printValue(item, { indent: inner, before: inner.length, after: 1 })},\n`,
  );
  return `[\n${lines.join('')}${indent}]`;
}

/** Numbers fill their lines; every other element has a line of its own. */
function printNumbers(numbers: readonly number[], indent: string): string {
  const lines: string[] = [];
  for (const number of numbers) {
    const item = `${printFlat(number)},`;
    const line = lines.at(-1);
    const isFull = line === undefined || line.length + 1 + item.length > LINE_WIDTH;
    if (isFull) lines.push(indent + STEP + item);
    else lines[lines.length - 1] = `${line} ${item}`;
  }
  return `[\n${lines.map((line) => `${line}\n`).join('')}${indent}]`;
}

/** Prints a value on one line. */
export function printFlat(value: CodeValue): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (value instanceof Reference) return value.name;
  if (Array.isArray(value)) return `[${(value as readonly CodeValue[]).map(printFlat).join(', ')}]`;
  if (isObject(value)) return printFlatObject(value);
  return JSON.stringify(value).replace('e+', 'e');
}

function printFlatObject(object: Readonly<Record<string, CodeValue>>): string {
  const members = Object.entries(object).map(([key, value]) =>
    value instanceof Reference && value.name === key ? key : `${propertyName(key)}: ${printFlat(value)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const IDENTIFIER = /^[\p{L}\p{Nl}$_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}$]*$/u;

/** A plain `__proto__` key would set the object's prototype instead of a property. */
function propertyName(key: string): string {
  if (key === '__proto__') return `[${stringLiteral(key)}]`;
  return IDENTIFIER.test(key) && !/[^\0-\uffff]/u.test(key) ? key : stringLiteral(key);
}

const fits = (flat: string, place: Place): boolean =>
  place.before + textWidth(flat) + place.after <= LINE_WIDTH;

const isObject = (value: CodeValue): value is Readonly<Record<string, CodeValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Reference);

/** Prettier breaks a list of several objects (or lists) if each of them has more than one element. */
function isListOfObjects(value: CodeValue): boolean {
  if (!Array.isArray(value)) return isObject(value) && Object.values(value).some(isListOfObjects);
  const items = value as readonly CodeValue[];
  const areOpen = items.length > 1 && (items.every(isLongObject) || items.every(isLongList));
  return areOpen || items.some(isListOfObjects);
}

const isLongObject = (value: CodeValue): boolean => isObject(value) && Object.keys(value).length > 1;
const isLongList = (value: CodeValue): boolean => Array.isArray(value) && value.length > 1;
