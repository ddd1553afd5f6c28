import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pages } from '../../support/pages';
import { checkout, textOf } from '../../support/workspace';

const withoutCode = (text: string): string => text.replace(/^ *```[^]*?^ *```$/gm, '');

/** The anchor that a page on GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/ /g, '-');

const anchorsIn = (file: string): string[] =>
  Array.from(withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    anchorOf(heading),
  );

const linksIn = (page: string): string[] =>
  Array.from(withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  );

const isBroken = (page: string, link: string): boolean => {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? path.join(checkout, page) : path.resolve(checkout, path.dirname(page), target);
  return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
};

test.each([...pages(), 'emulator/README.md', 'review/README.md', 'policy-pack/README.md'])(
  'every link of %s leads somewhere',
  (page) => {
    expect(linksIn(page).filter((link) => isBroken(page, link))).toEqual([]);
  },
);

test('the README leads to every page of docs/', () => {
  const reached = new Set(['README.md']);
  // A set visits what is added to it on the way.
  for (const page of reached)
    for (const link of linksIn(page)) {
      const target = path.join(path.dirname(page), link.split('#')[0] ?? '');
      if (target.endsWith('.md')) reached.add(target);
    }
  const unreached = pages().filter((page) => page.startsWith('docs') && !reached.has(page));
  expect(unreached).toEqual([]);
});

test('every file that docs/design.md names is there', () => {
  const named = Array.from(
    textOf('docs/design.md').matchAll(/`([\w./-]+\.(?:ts|mjs))`/g),
    ([, name = '']) => name,
  );
  const roots = ['.', 'provider/src', 'review/src'].map((folder) => path.join(checkout, folder));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !roots.some((root) => existsSync(path.join(root, name))))).toEqual([]);
});
