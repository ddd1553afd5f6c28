import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from './workspace';

const folder = path.join(checkout, 'tests', 'engine', 'golden');

/** Whether the golden files are to be written anew instead of compared. */
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';

/** Compares a whole text with the golden file of that name, or writes the file if `UPDATE_GOLDEN=1` asks for it. */
export function expectGolden(name: string, text: string): void {
  const file = path.join(folder, name);
  if (isUpdate) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, 'utf8'));
}

/** The names of all golden files. */
export const goldenFiles = (): string[] => readdirSync(folder).sort();
