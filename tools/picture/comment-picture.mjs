// A report in Markdown as a pull request shows it, as a picture: title, verdict and effects, and the headings of folded parts.
// Supports just the Markdown of these lines. In a font of fixed width, as the reader's fonts are unknown.

const WIDTH = 940;
const MARGIN = 24;
const LINE_HEIGHT = 22;
/** A character's width relative to its size, in nearly every font of fixed width. */
const CHARACTER_EMS = 0.602;

const STYLE = `
  text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; }
  .bold { font-weight: 600; }
  .fold { fill: #59636e; }
`;

/** The symbols of severity as colours, as not every font has them. */
const signs = new Map([
  ['🔴', '#d1242f'],
  ['🟡', '#d4a72c'],
  ['🟢', '#1a7f37'],
  ['⚪', '#afb8c1'],
]);

/** @typedef {{ text: string, kind: '' | 'bold' | 'code' | 'fold', width: number }} Word */

/** @param {string} text */
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * The words of a line with `code` and **bold** parts. Code is one word.
 *
 * @param {string} line
 * @param {{ kind: Word['kind'], size: number }} look
 * @returns {Word[]}
 */
const wordsOf = (line, { kind, size }) =>
  line.split(/(`[^`]*`|\*\*.*?\*\*)/).flatMap((part) => {
    const style = part.startsWith('`') ? 'code' : part.startsWith('**') ? 'bold' : kind;
    const text = part.replace(/^(`|\*\*)|(`|\*\*)$/g, '');
    const words = style === 'code' ? [text] : (text.match(/ *[^ ]+| +$/g) ?? []);
    return words.map((word) => ({
      text: word,
      kind: style,
      width: (Array.from(word).length + (signs.has(word) ? 1 : 0)) * size * CHARACTER_EMS,
    }));
  });

/**
 * @param {Word[]} words
 * @param {number} room
 */
const wrap = (words, room) => {
  /** @type {Word[][]} */
  const rows = [[]];
  let used = 0;
  for (const word of words) {
    if (used + word.width > room) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(word);
    used += word.width;
  }
  return rows;
};

/**
 * @param {Word[]} words
 * @param {{ x: number, y: number, size: number }} at
 */
const drawRow = (words, { x, y, size }) => {
  let left = x;
  return words.map(({ text, kind, width }, index) => {
    const start = left;
    left += width;
    const sign = signs.get(text.trim());
    if (sign !== undefined) return `<circle cx="${start + 7}" cy="${y - 4}" r="6" fill="${sign}"/>`;
    const box = `x="${(start - 3).toFixed(1)}" y="${y - size}" width="${(width + 6).toFixed(1)}" height="${size + 5}"`;
    const ground = kind === 'code' ? `<rect ${box} rx="4" fill="#eff1f3"/>` : '';
    const shown = text.trimStart();
    const indent = index === 0 ? 0 : (text.length - shown.length) * size * CHARACTER_EMS;
    const place = `x="${(start + indent).toFixed(1)}" y="${y}" font-size="${size}"`;
    return `${ground}<text class="${kind}" ${place}>${escapeXml(shown)}</text>`;
  });
};

/** The unfolded part, and the headings of the rest. @param {string} report */
const visibleLines = (report) => {
  const [open = ''] = report.split('<details>', 1);
  const folded = Array.from(report.matchAll(/<summary>(.*?)<\/summary>/g), ([, heading]) => `▸ ${heading}`);
  return [...open.split('\n'), ...folded].filter((line) => line.trim() !== '');
};

/**
 * @param {string} report   Markdown of `review`
 * @returns {string} the text of an SVG file
 */
export const drawComment = (report) => {
  /** @type {string[]} */
  const drawn = [];
  let y = MARGIN + 16;
  for (const line of visibleLines(report)) {
    const isTitle = line.startsWith('## ');
    const isItem = line.startsWith('- ');
    const size = isTitle ? 19 : 13;
    const x = MARGIN + (isItem ? 18 : 0);
    if (isItem) drawn.push(`<circle cx="${MARGIN + 6}" cy="${y - 4}" r="2.5" fill="#1f2328"/>`);
    const text = line.replace(/^(## |- )/, '');
    const look = /** @type {const} */ ({ kind: isTitle ? 'bold' : line.startsWith('▸') ? 'fold' : '', size });
    for (const row of wrap(wordsOf(text, look), WIDTH - x - MARGIN)) {
      drawn.push(...drawRow(row, { x, y, size }));
      y += LINE_HEIGHT;
    }
    if (isTitle) drawn.push(`<path d="M${MARGIN} ${y - 6}H${WIDTH - MARGIN}" stroke="#d1d9e0"/>`);
    y += isTitle ? 20 : 6;
  }
  const height = y - LINE_HEIGHT + MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}">`,
    `<style>${STYLE}</style>`,
    `<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6" fill="#fff" stroke="#d1d9e0"/>`,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
};
