// `npm run picture`: draws docs/preview.svg from what the real CLI shows for an edit of tools/picture/site.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { editedSite } from './picture/edited-site.mjs';
import { drawTerminal } from './picture/terminal-picture.mjs';
import { checkout } from './setup/paths.mjs';

const project = await editedSite();
const output = await project.capture(
  'preview',
  '--diff',
  '--color=always',
  '--suppress-outputs',
  '--non-interactive',
);

const ESCAPE = '\u001b';
const styles = new RegExp(`${ESCAPE}\\[[\\d;]*m`, 'g');

/**
 * Lines that the picture omits, as they are mostly noise there: ids, and short unchanged properties.
 *
 * @param {string} line
 */
const isCropped = (line) =>
  /^ {8}\w+ *: (?:"\w+"|true|false)$/.test(line) || /^ +\[id=|pulumi:pulumi:Stack/.test(line);
const lines = output
  .split('\n')
  .filter((line) => !isCropped(line.replace(styles, '')))
  .map((line) => line.replace(/\[urn=[^\]]*::([^\]:]+)\]/, '[urn=…::$1]'));

const picture = path.join(checkout, 'docs', 'preview.svg');
writeFileSync(picture, drawTerminal(`$ pulumi preview --diff\n${lines.join('\n')}`));
console.log(`drawn: ${path.relative(checkout, picture)}`);
process.exit(0);
