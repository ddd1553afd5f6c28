// `npm run picture:review`: draws docs/review.svg, the review of the edit that docs/preview.svg shows, from a real preview.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawComment } from './picture/comment-picture.mjs';
import { editedSite } from './picture/edited-site.mjs';
import { checkout } from './setup/paths.mjs';

const project = await editedSite();
const preview = await project.capture('preview', '--json', '--show-sames', '--non-interactive');
const command = path.join(checkout, 'cli', 'bin', 'pulumi-edge-policy-cli.js');
const { stdout: report, stderr } = spawnSync(process.execPath, [command, 'review', '-'], {
  cwd: project.folder,
  input: preview,
  encoding: 'utf8',
});
if (report === '') throw new Error(`the review failed: ${stderr}`);

const picture = path.join(checkout, 'docs', 'review.svg');
writeFileSync(picture, drawComment(report));
console.log(`drawn: ${path.relative(checkout, picture)}`);
process.exit(0);
