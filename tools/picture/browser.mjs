import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** @type {new (options: { html: boolean }) => { render: (markdown: string) => string }} */
const MarkdownIt = createRequire(import.meta.url)('markdown-it');

const WIDTH = 920;

/** Near enough to how code-hosting services show a comment. */
const STYLE = `
  body { margin: 0; background: #fff; color: #1f2328; font: 14px/1.5 'DejaVu Sans', sans-serif; }
  main { margin: 16px; padding: 4px 20px 16px; border: 1px solid #d1d9e0; border-radius: 6px; }
  h2 { padding-bottom: 6px; border-bottom: 1px solid #d1d9e0; font-size: 20px; }
  h3 { font-size: 16px; }
  code { padding: 2px 5px; border-radius: 4px; background: #eff1f3; font: 12px 'DejaVu Sans Mono', monospace; }
  li { margin: 8px 0; }
  table { border-collapse: collapse; }
  th, td { padding: 5px 11px; border: 1px solid #d1d9e0; text-align: left; }
  tr:nth-child(2n) { background: #f6f8fa; }
`;

/**
 * Draws Markdown as a page.
 *
 * @param {string} markdown
 * @param {{ picture: string, folder: string }} files   the picture to write, and a folder for what goes before it
 */
export const photographMarkdown = (markdown, { picture, folder }) => {
  const page = path.join(folder, 'report.html');
  const body = new MarkdownIt({ html: true }).render(markdown);
  const measure = '<script>document.title = document.documentElement.scrollHeight</script>';
  writeFileSync(
    page,
    `<!doctype html><meta charset="utf-8"><title></title><style>${STYLE}</style><main>${body}</main>${measure}`,
  );
  const args = [`--user-data-dir=${path.join(folder, 'browser')}`, `--window-size=${WIDTH},100`];
  const [, height] = /<title>(\d+)</.exec(runBrowser([...args, '--dump-dom'], page)) ?? [];
  runBrowser([...args.slice(0, 1), `--window-size=${WIDTH},${height}`, `--screenshot=${picture}`], page);
};

const CANDIDATES = ['chromium', 'chromium-browser', 'google-chrome'];

/** @param {string[]} args @param {string} page */
const runBrowser = (args, page) => {
  const named = process.env['CHROMIUM'];
  for (const file of named === undefined ? CANDIDATES : [named]) {
    // The page is our own and loads nothing, so the sandbox, which root cannot have, protects nothing.
    const common = ['--headless', '--no-sandbox', '--hide-scrollbars', '--disable-gpu'];
    const result = spawnSync(file, [...common, ...args, pathToFileURL(page).href], { encoding: 'utf8' });
    if (result.error !== undefined) continue;
    if (result.status !== 0) throw new Error(`${file} ended with code ${result.status}:\n${result.stderr}`);
    return result.stdout;
  }
  throw new Error(`no Chromium was found (${named ?? CANDIDATES.join(', ')}): install one, or set CHROMIUM`);
};
