// Findings as warnings on the lines of the change, where the files of a pull request are read.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { counts } from './bundled-review.mjs';

/** A step can have ten. */
const MOST = 10;

/** A workflow takes a line of the log for a command, and a colon or comma for the end of a property: foreign text has none. */
const encoded = (/** @type {string} */ text) => encodeURIComponent(text);
const asMessage = (text) => text.replaceAll(/[%\p{Cc}]/gu, encoded);
const asProperty = (text) => text.replaceAll(/[%:,\p{Cc}]/gu, encoded);

/**
 * The commands that show what is new on its lines, the worst first, as the report has it.
 *
 * @param {string} report
 * @param {string} folder of the project, from the root of the repository
 */
export function annotationsOf(report, folder) {
  const { findings } = JSON.parse(readFileSync(report, 'utf8'));
  return findings
    .filter(counts)
    .filter(({ severity, where }) => severity !== 'info' && where.source !== undefined)
    .slice(0, MOST)
    .map(({ severity, title, reason, where: { source } }) => {
      const file = asProperty(path.posix.join(folder, source.file));
      const place = `file=${file},line=${source.line},title=${asProperty(`${severity}: ${title}`)}`;
      return `::warning ${place}::${asMessage(reason)}`;
    });
}
