import { filesBelow, textOf } from './workspace';

/** A block of code on a page, with the language that its fence names. */
export interface CodeBlock {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

/** The pages that users read, as paths from the root of the checkout. */
export const pages = (): string[] => [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...filesBelow('docs', /^(?!api).*\.md$/),
];

/** The blocks of code of a page, in order. */
export const codeBlocks = (page: string): CodeBlock[] => {
  const text = textOf(page);
  return Array.from(text.matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm), (match) => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
};
