// A terminal's output as a picture: text with the colours of its SGR escape sequences becomes an SVG.

const CHARACTER_WIDTH = 8.4;
const LINE_HEIGHT = 19;
const PADDING = 16;

/** The colours that the Pulumi CLI uses, on a dark ground. */
const colours = new Map([
  ['31', '#ff7b72'],
  ['32', '#7ee787'],
  ['33', '#e3b341'],
  ['34', '#79c0ff'],
  ['35', '#d2a8ff'],
  ['36', '#56d4dd'],
  ['38;5;1', '#ff7b72'],
  ['38;5;2', '#7ee787'],
  ['38;5;3', '#e3b341'],
  ['38;5;13', '#d2a8ff'],
]);

/** The parameters of an SGR escape sequence. */
const ESCAPE = '\u001b';
const styleSequence = new RegExp(`${ESCAPE}\\[([\\d;]*)m`, 'g');

/** @param {string} text */
const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * One line as spans; the style carries over from the line before.
 *
 * @param {string} line
 * @param {{ colour?: string | undefined, isBold: boolean }} style
 */
const spansOf = (line, style) => {
  let spans = '';
  // Every second part is the parameters of an escape sequence.
  line.split(styleSequence).forEach((part, index) => {
    if (index % 2 === 1) {
      if (part === '' || part === '0') Object.assign(style, { colour: undefined, isBold: false });
      else if (part === '1') style.isBold = true;
      else style.colour = colours.get(part) ?? style.colour;
    } else if (part !== '') {
      const fill = style.colour === undefined ? '' : ` fill="${style.colour}"`;
      const weight = style.isBold ? ' font-weight="bold"' : '';
      spans += `<tspan${fill}${weight}>${escapeXml(part)}</tspan>`;
    }
  });
  return spans;
};

/**
 * @param {string} output what a program has printed to a terminal
 * @returns {string} the text of an SVG file
 */
export const drawTerminal = (output) => {
  const lines = output.replace(/\s+$/, '').split('\n');
  const longest = Math.max(...lines.map((line) => line.replace(styleSequence, '').length));
  const width = Math.ceil(longest * CHARACTER_WIDTH + 2 * PADDING);
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  const style = { isBold: false };
  const rows = lines.map((line, index) => {
    const y = PADDING + (index + 0.75) * LINE_HEIGHT;
    return `<text x="${PADDING}" y="${y}" xml:space="preserve">${spansOf(line, style)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
};
