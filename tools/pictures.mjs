// `npm run pictures`: makes the pictures of the README from what the real CLI and the real commands print for an edit of
// tools/picture/site, each with a digest of the text that it shows. `--check` draws nothing, and fails if the text of a picture is
// no longer what they print. Needs Chromium (Debian: apt-get install chromium fonts-noto-color-emoji).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AnsiUp } from 'ansi_up';
import { marked } from 'marked';
import { chromium } from 'playwright-core';
import { findBrowser } from './browser.cjs';
import { editedSite } from './picture/edited-site.mjs';
import { digestIn, digestOf, withDigest } from './picture/digest.mjs';
import { checkout } from './setup/paths.mjs';

const TERMINAL = `body { background: #0d1117; color: #e6edf3; font: 14px/19px monospace; white-space: pre }
  .ansi-red-fg { color: #ff7b72 } .ansi-green-fg { color: #7ee787 } .ansi-yellow-fg { color: #e3b341 }`;
const COMMENT = `body { width: 900px; background: #fff; color: #1f2328; font: 14px/21px sans-serif; border: 1px solid #d1d9e0 }
  h2 { border-bottom: 1px solid #d1d9e0 } code { background: #eff1f3; border-radius: 4px; padding: 2px 4px }`;

/** Commands that the pictures show, as they are typed. */
const PREVIEW = ['preview', '--diff', '--color=always', '--suppress-outputs', '--non-interactive'];
const COMMAND = path.join(checkout, 'cli', 'dist', 'main.js');

const isCheck = process.argv.includes('--check');
const executablePath = findBrowser();
const site = await editedSite();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/**
 * Draws a picture, or checks the one that is there.
 *
 * @param {string} name
 * @param {string} text that the picture shows
 * @param {() => Promise<Buffer>} shoot
 */
async function keep(name, text, shoot) {
  const file = path.join(checkout, 'docs', `${name}.png`);
  const digest = digestOf(text);
  if (!isCheck) writeFileSync(file, withDigest(await shoot(), digest));
  else if (digestIn(readFileSync(file)) !== digest) process.exitCode = 1;
  else return;
  console.log(
    isCheck ? `docs/${name}.png is stale: npm run pictures. Now:\n${text}` : `drawn: docs/${name}.png`,
  );
}

/** @param {string} name @param {string} style @param {string} content HTML */
async function draw(name, style, content) {
  const page = await browser.newPage({ deviceScaleFactor: 1.25 });
  await page.setContent(
    `<style>body { margin: 0; padding: 16px; display: inline-block; border-radius: 8px } ${style}</style>${content}`,
  );
  const body = page.locator('body');
  await keep(name, await body.innerText(), () => body.screenshot({ omitBackground: true }));
}

/** Ids, and short unchanged properties, are mostly noise in a picture. @param {string} line */
const isCropped = (line) => {
  // eslint-disable-next-line no-control-regex -- the colours of a terminal
  const bare = line.replace(/\u001b\[[\d;]*m/g, '');
  return /^ {8}\w+ *: (?:"\w+"|true|false)$/.test(bare) || /^ +\[id=|pulumi:pulumi:Stack/.test(bare);
};
const output = (await site.project.capture(...PREVIEW))
  .split('\n')
  .filter((line) => !isCropped(line))
  .join('\n')
  .replace(/\[urn=[^\]]*::([^\]:]+)\]/g, '[urn=…::$1]');
const terminal = Object.assign(new AnsiUp(), { use_classes: true });
await draw('preview', TERMINAL, terminal.ansi_to_html(`$ pulumi preview --diff\n${output.trimEnd()}`));

/** @param {readonly string[]} args @param {string} [input] */
function run(args, input) {
  const { stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: site.project.folder,
    env: { ...process.env, ...site.project.variables },
    input,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`${args.join(' ')} failed: ${stderr}`);
  return stdout;
}

/** @param {readonly string[]} args @param {string} [input] */
const report = (args, input) => marked.parse(run(args, input), { async: false });
const preview = await site.project.capture(
  'preview',
  '--json',
  '--show-sames',
  '--show-replacement-steps',
  '--non-interactive',
);
await draw('review', COMMENT, report(['review', '-'], preview));

/** The page of the preview, with a search. */
async function drawPage() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-picture-'));
  const previewFile = path.join(folder, 'preview.json');
  writeFileSync(previewFile, preview);
  const file = path.join(folder, 'access.html');
  run(['page', '--preview', previewFile, '--out', file]);
  const page = await browser.newPage({ viewport: { width: 1120, height: 900 }, deviceScaleFactor: 1.25 });
  await page.goto(pathToFileURL(file).href);
  await page.getByLabel('Address or network').fill('91.238.65.20');
  await page.locator('.answer').first().waitFor();
  await keep('page', await page.locator('body').innerText(), () => page.screenshot());
  rmSync(folder, { recursive: true });
}
await drawPage();

await site.openByHand();
await draw('drift', COMMENT, report(['drift', '--format', 'markdown']));

await browser.close();
process.exit();
