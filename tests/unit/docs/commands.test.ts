import { execFileSync } from 'node:child_process';
import { codeBlocks, pages } from '../../support/pages';
import { checkout, filesBelow, textOf } from '../../support/workspace';

/** The calls of the command in all blocks of shell, with the page that shows them. */
const calls = pages().flatMap((page) =>
  codeBlocks(page)
    .filter(({ language }) => ['sh', 'console', ''].includes(language))
    .flatMap(({ text }) => Array.from(text.matchAll(/\bpulumi-edge-policy-cli ([a-z][a-z-]*)([^|>#\n]*)/g)))
    .map(([, command = '', rest = '']) => ({ page, command, options: rest.match(/--[a-z][a-z-]*/g) ?? [] })),
);

/** What each command prints for `--help`: docs/generated.test.ts holds the page to it. */
const help = new Map(
  textOf('docs/cli-options.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n', 1)[0] ?? '', text]),
);

test('every call of the command line in the docs names a command that there is, with options that it takes', () => {
  expect(new Set(calls.map(({ command }) => command)).size).toBeGreaterThan(5);
  const unknown = calls.flatMap(({ page, command, options }) =>
    ['', ...options]
      .filter((option) => help.get(command)?.includes(option) !== true)
      .map((option) => `${page}: ${command} ${option}`),
  );
  expect(unknown).toEqual([]);
});

test("no text calls the command line by a name that may be a stranger's package", () => {
  const folders = ['*.md', '*.yml', 'docs', 'examples', 'action', '.github', 'policy-pack', 'emulator'];
  const sources = ['provider/src', 'review/src', 'review/schemas', 'cli/src', 'tests/**/golden/**'];
  const files = execFileSync('git', ['ls-files', '-z', '--', ...folders, ...sources], { cwd: checkout })
    .toString()
    .split('\0')
    .filter((file) => /\.(md|ts|mjs|sh|ya?ml|json|txt)$/.test(file));
  expect(files.length).toBeGreaterThan(300);
  const names = [...help.keys()].join('|');
  const wrong = new RegExp(
    `npx (--\\S+ )?(pulumi-)?edge-policy(?![\\w-])|(?<![\\w/.:-])edge-policy (${names})\\b`,
  );
  expect(files.filter((file) => wrong.test(textOf(file)))).toEqual([]);
});

describe("npx fetches no stranger's package", () => {
  const install = /npm (?:install|i|ci|add)\b.*?(?<![/\w-])(?:pulumi-)?edge-policy/;
  const bare = /npx (?!--no-install )(?:pulumi-edge-policy-cli|edge-policy-emulator)\b/;
  const files = ['docs', 'cli/templates', '.github', 'examples', 'action'].flatMap((folder) =>
    filesBelow(folder, /\.(ya?ml|sh)$/),
  );
  const scripts = files.map((file) => ({
    where: file,
    text: textOf(file).replace(/^ *(?:#|description:|label:).*$/gm, ''),
  }));
  const shown = [
    ...pages(),
    ...['emulator', 'cli', 'review', 'policy-pack'].map((name) => `${name}/README.md`),
  ];
  const blocks = shown.flatMap((where) => codeBlocks(where).map(({ text }) => ({ where, text })));

  test('what is run or pasted says --no-install, or comes after the install', () => {
    expect(scripts.length).toBeGreaterThan(15);
    const isOpen = ({ text }: { text: string }) =>
      bare.test(install.test(text) ? (text.split(install)[0] ?? '') : text);
    expect([...scripts, ...blocks].filter(isOpen).map(({ where }) => where)).toEqual([]);
    expect(textOf('README.md').split('npm install ./vendor')[0]).not.toContain('npx');
  });

  test('only the pages that are published with a package install it by its name', () => {
    const named = [...scripts, ...shown.map((where) => ({ where, text: textOf(where) }))].filter(({ text }) =>
      install.test(text),
    );
    expect(named.map(({ where }) => where)).toEqual([
      ...[
        'docs/installation-configuration.md',
        'emulator/README.md',
        'cli/README.md',
        'policy-pack/README.md',
      ],
    ]);
  });
});
