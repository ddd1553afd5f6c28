import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkout, textOf } from './workspace';

/** With UPDATE_DOCS=1 what is generated is written; then run `npm run format`. */
export const isUpdate = process.env['UPDATE_DOCS'] !== undefined;

const withoutWidths = (text: string): string =>
  text.replaceAll(/ +/g, ' ').replaceAll(/(?<=\| :?)-+(?=:? \|)/g, '---');

/** Expects a table between the marks `begin: NAME` and `end: NAME` of a page, however wide its columns are. */
export function expectGeneratedPart(page: string, name: string, wanted: string): void {
  const part = new RegExp(`(?<=<!-- begin: ${name} -->\\n)[^]*?(?=\\n<!-- end: ${name} -->)`);
  if (isUpdate)
    writeFileSync(
      path.join(checkout, page),
      textOf(page).replace(part, () => `\n${wanted}\n`),
    );
  expect(withoutWidths(part.exec(textOf(page))?.[0].trim() ?? '')).toBe(withoutWidths(wanted.trim()));
}
