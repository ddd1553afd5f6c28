import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type PageContent, packed } from './page-data';

/** The script and the style of the page, which the build makes. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * The page as one file that asks for nothing: the policy in its head allows its own script and style, by their hashes, and no request.
 * Nothing that others wrote is part of the document: the script reads it from the compressed data, as text.
 */
export function pageOf(content: PageContent, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = deflateRawSync(packed(content), { level: 9 }).toString('base64');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Who gets in</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript>This page needs its own script, which makes no requests: allow scripts to read it.</noscript>',
    `<script type="text/plain" id="content">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
