// The page that the command writes, in a real browser that can reach nothing.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../tools/browser.cjs';
import { deferCleanup } from './cleanup';
import { CommandLine, stackHolding } from './command-line';

let browser: Promise<Browser> | undefined;

/** One browser for a file of tests. Without one the tests fail, and say what to install. */
function theBrowser(): Promise<Browser> {
  browser ??= chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox'] });
  return browser;
}

afterAll(async () => {
  await (await browser)?.close();
});

/** A page, and what it did besides being shown: nothing, in every test. */
export interface OpenPage {
  readonly page: Page;
  readonly file: string;
  /** Requests other than that of the page itself, errors of its script, and dialogs. */
  readonly incidents: readonly string[];
}

/** Opens a file in a window of its own. */
export async function open(file: string, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await (await theBrowser()).newContext(options);
  deferCleanup(() => context.close());
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  const incidents: string[] = [];
  await page.route('**', async (route) => {
    if (route.request().url() === url) return route.continue();
    incidents.push(`request: ${route.request().url()}`);
    return route.abort();
  });
  page.on('pageerror', ({ message }) => incidents.push(`error: ${message}`));
  page.on('console', (message) => incidents.push(`console: ${message.text()}`));
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('popup', (other) => incidents.push(`window: ${other.url()}`));
  await page.goto(url);
  await page.locator('html[data-ready]').waitFor();
  return { page, file, incidents };
}

/** Writes the page of a stack with these resources. */
export const pageOfStack = (resources: readonly object[], ...args: string[]): Promise<string> =>
  writePage(new CommandLine().withPulumi(stackHolding(resources)), ...args);

/** Writes the page of a preview. */
export function pageOfPreview(text: string): Promise<string> {
  const line = new CommandLine();
  line.write('preview.json', text);
  return writePage(line, '--preview', 'preview.json');
}

/** Writes a page, and returns its file. */
export async function writePage(line: CommandLine, ...args: string[]): Promise<string> {
  const { exitCode, stderr } = await line.run('page', ...args);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return path.join(line.folder, 'access.html');
}
